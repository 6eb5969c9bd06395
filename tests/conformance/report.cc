#include "conformance/report.h"

#include <ostream>
#include <set>

#include "conformance/support.h"

namespace portico::conformance {

Result<Known> parse_known(std::string_view text) {
  Known known;
  std::size_t number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view row = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    if (row.empty() || row.starts_with('#')) continue;
    // Names may contain '#' (a second case with the same name), so the reason begins at " #".
    const std::size_t hash = row.find(" #");
    const std::string_view name = trimmed(row.substr(0, hash));
    const std::string_view reason =
        hash == std::string_view::npos ? std::string_view() : trimmed(row.substr(hash + 2));
    if (reason.empty())
      return invalid("line {}: case \"{}\" needs a reason after \" # \"", number, name);
    if (!known.emplace(name, reason).second)
      return invalid("line {}: case \"{}\" is listed twice", number, name);
  }
  return known;
}

Report report(std::string_view suite, const std::vector<CaseResult>& results, const Known& known,
              const ReportOptions& options, std::ostream& out) {
  Report sums;
  std::map<std::string, std::size_t> reasons;
  std::set<std::string_view> names;
  for (const CaseResult& each : results) {
    const auto listed = known.find(each.name);
    names.insert(each.name);
    switch (each.outcome) {
      case Outcome::kPassed:
        ++sums.passed;
        break;
      case Outcome::kSkipped:
        ++sums.skipped;
        ++reasons[each.detail];
        break;
      case Outcome::kFailed:
        ++sums.failed;
        if (listed != known.end()) {
          ++sums.known;
          out << "known  " << each.name << "  # " << listed->second << "\n";
        } else {
          out << "FAILED " << each.name << "\n";
          if (!options.quiet) out << each.detail << (each.detail.ends_with('\n') ? "" : "\n");
        }
        continue;
    }
    if (listed == known.end()) continue;
    ++sums.stale;
    out << "STALE  " << each.name << " is listed in known/" << suite << ".txt but "
        << (each.outcome == Outcome::kPassed ? "passes" : "is skipped") << "\n";
  }
  if (options.expect_all_known) {
    for (const auto& [name, reason] : known) {
      if (names.contains(name)) continue;
      ++sums.stale;
      out << "STALE  " << name << " is listed in known/" << suite << ".txt but is no case\n";
    }
  }
  for (const auto& [reason, count] : reasons) out << "skipped " << count << ": " << reason << "\n";
  if (sums.known > 0) out << "known differences: " << sums.known << " of the failed cases\n";
  out << suite << ": " << sums.passed << " passed, " << sums.failed << " failed, " << sums.skipped
      << " skipped" << std::endl;
  return sums;
}

}  // namespace portico::conformance
