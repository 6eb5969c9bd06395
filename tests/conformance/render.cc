// Suite render: whole packages through `kpt fn render`.
#include "conformance/internal/kpt_case.h"

namespace portico::conformance {

std::vector<CaseResult> run_render(const std::filesystem::path& data) {
  std::vector<CaseResult> results;
  for (const std::filesystem::path& folder : case_folders(data)) {
    const std::string name = case_name(data, folder);
    results.push_back(guarded(name, [&] {
      const auto one = read_case(data, folder);
      if (!one) return failed(name, one.error().text());
      if (const auto reason = reason_to_skip(*one)) return skipped(name, *reason);
      std::string why;
      const auto run = run_command(*one, why);
      if (!run) return skipped(name, why);
      const std::string difference = differences(*one, *run);
      return difference.empty() ? passed(name) : failed(name, difference);
    }));
  }
  return results;
}

}  // namespace portico::conformance
