#include "api/approval.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "api/internal/findings.h"
#include "base/spelling.h"
#include "krm/meta.h"

namespace portico::api {

using std::chrono::milliseconds;

Result<milliseconds> parse_wait(std::string_view text) {
  constexpr double kMost = 10 * 366 * 24 * 3600e3;
  const auto wrong = [&] {
    return invalid("invalid duration \"{}\": use a value such as \"90s\", \"10m\" or \"1h30m\"",
                   text);
  };
  if (text.empty()) return wrong();
  if (text == "0") return milliseconds(0);
  double sum = 0;
  for (std::string_view rest = text; !rest.empty();) {
    double number = 0;
    const auto [end, error] =
        std::from_chars(rest.data(), rest.data() + rest.size(), number, std::chars_format::fixed);
    if (error != std::errc() || !(number >= 0) || rest.front() == '-') return wrong();
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    struct Unit {
      std::string_view name;
      double milliseconds;
    };
    static constexpr Unit kUnits[] = {{"ms", 1}, {"h", 3600e3}, {"m", 60e3}, {"s", 1e3}};
    const auto unit = std::find_if(std::begin(kUnits), std::end(kUnits),
                                   [&](const Unit& each) { return rest.starts_with(each.name); });
    if (unit == std::end(kUnits)) return wrong();
    rest.remove_prefix(unit->name.size());
    sum += number * unit->milliseconds;
    if (!(sum <= kMost)) return invalid("\"{}\" is more than 10 years", text);
  }
  return milliseconds(static_cast<std::int64_t>(sum));
}

namespace {

void validate_rule(const ApprovalRule& rule, const std::string& path,
                   internal::Findings& findings) {
  const std::vector<std::string_view> words(kApprovalPolicies.begin(), kApprovalPolicies.end());
  if (!rule.policy.empty() && std::find(words.begin(), words.end(), rule.policy) == words.end())
    findings.unsupported(path + ".policy",
                         "{}.policy can only be \"never\", \"initial\", \"always\" or "
                         "\"unedited\", found \"{}\"{}",
                         path, rule.policy, hint(rule.policy, words));
  if (!rule.after.empty())
    if (const auto wait = parse_wait(rule.after); !wait)
      findings.invalid(path + ".after", "{}.after: {}", path, wait.error().what);
  for (std::size_t i = 0; i < rule.conditions.size(); ++i)
    if (!krm::is_label_key(rule.conditions[i]))
      findings.invalid(fmt::format("{}.conditions[{}]", path, i),
                       "{}.conditions[{}]: \"{}\" is not a condition type", path, i,
                       rule.conditions[i]);
}

}  // namespace

std::vector<Cause> validate_approval(const Approval& approval, const std::string& path) {
  internal::Findings findings;
  if (approval.propose) validate_rule(*approval.propose, path + ".approval.propose", findings);
  if (approval.approve) validate_rule(*approval.approve, path + ".approval.approve", findings);
  return std::move(findings).take();
}

}  // namespace portico::api
