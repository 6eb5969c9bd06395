// Any target and any patch, as a list of the two: each kind of patch terminates, and the result of
// a strategic patch contains no directives.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "json/text.h"
#include "patch/patch.h"

namespace json = portico::json;
namespace patch = portico::patch;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto input = json::parse(text, {.bytes = 1 << 16, .depth = 64});
  if (!input) return 0;
  const json::Value& target = (*input)[std::size_t{0}];
  const json::Value& body = (*input)[std::size_t{1}];
  if (const auto operations = patch::read_json_patch(body)) {
    const auto once = patch::apply_json_patch(target, *operations);
    const auto twice = patch::apply_json_patch(target, *operations);
    if (once.ok() != twice.ok() || (once && *once != *twice)) std::abort();
  }
  if (const auto merge = patch::read_merge_patch(body)) {
    const json::Value after = patch::apply_merge_patch(target, *merge);
    if (patch::apply_merge_patch(after, *merge) != after) std::abort();
  }
  if (const auto strategic = patch::read_strategic_patch(body); strategic && target.is_object()) {
    const auto after =
        patch::apply_strategic_patch(target, *strategic, patch::merged_lists("", "ServiceAccount"));
    if (after && (*after).contains("$retainKeys") && !target.contains("$retainKeys")) std::abort();
  }
  return 0;
}
