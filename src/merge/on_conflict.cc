#include "merge/on_conflict.h"

#include <array>
#include <utility>
#include <vector>

#include "base/spelling.h"

namespace portico::merge {
namespace {

constexpr std::array<std::pair<OnConflict, std::string_view>, 3> kNames = {{
    {OnConflict::kUpstream, "takeUpstream"},
    {OnConflict::kLocal, "keepLocal"},
    {OnConflict::kFail, "fail"},
}};

}  // namespace

std::string_view name_of(OnConflict policy) {
  for (const auto& [value, name] : kNames)
    if (value == policy) return name;
  return "";
}

Result<OnConflict> parse_on_conflict(std::string_view text) {
  if (text.empty()) return OnConflict::kUpstream;
  std::vector<std::string_view> words;
  for (const auto& [value, name] : kNames) {
    if (name == text) return value;
    words.push_back(name);
  }
  return invalid("unknown conflict policy \"{}\"{}: must be takeUpstream, keepLocal or fail", text,
                 hint(text, words));
}

}  // namespace portico::merge
