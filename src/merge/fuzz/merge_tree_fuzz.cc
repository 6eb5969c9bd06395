// Merges three arbitrary documents: the merge either fails or keeps its guarantees.
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "krm/object.h"
#include "merge/tree.h"

namespace {

using portico::krm::Object;
using portico::merge::TreeOptions;

/// Texts are separated by a line "====".
std::vector<std::string_view> split(std::string_view text) {
  constexpr std::string_view kLine = "\n====\n";
  std::vector<std::string_view> parts;
  while (parts.size() < 2) {
    const std::size_t at = text.find(kLine);
    if (at == std::string_view::npos) break;
    parts.push_back(text.substr(0, at));
    text.remove_prefix(at + kLine.size());
  }
  parts.push_back(text);
  return parts;
}

bool has_null(const portico::json::Value& value) {
  for (const portico::json::Value& item : value.items())
    if (has_null(item)) return true;
  for (const portico::json::Member& member : value.members())
    if (has_null(member.value)) return true;
  return value.is_null();
}

void check(bool promise) {
  if (!promise) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto parts = split(std::string_view(reinterpret_cast<const char*>(data), size));
  if (parts.size() != 3) return 0;
  const auto base = Object::parse(parts[0]), theirs = Object::parse(parts[1]),
             ours = Object::parse(parts[2]);
  if (!base || !theirs || !ours) return 0;
  TreeOptions options;
  options.infer_keys = size % 2 == 0;
  if (ours->is_krm()) {
    const std::string_view version = ours->api_version();
    options.schema =
        portico::merge::Schemas().of(ours->id(), version.substr(version.rfind('/') + 1));
  }
  const auto merged = portico::merge::merge_object(&*base, *theirs, *ours, options);
  if (merged) {
    const auto again = Object::parse(merged->object.text());
    check(again && again->value() == merged->object.value());
  }
  // Upstream changed nothing: not a byte changes.
  const auto kept = portico::merge::merge_object(&*base, *base, *ours, options);
  check(kept && kept->object.text() == ours->text());
  // Nothing changed locally: the result is upstream's. (A null upstream is a removal.)
  const auto taken = portico::merge::merge_object(&*base, *theirs, *base, options);
  check(taken && taken->conflicts.empty());
  if (!has_null(theirs->value())) check(taken->object.value() == theirs->value());
  // Both sides made the same change.
  const auto agreed = portico::merge::merge_object(&*base, *theirs, *theirs, options);
  check(agreed && agreed->conflicts.empty() && agreed->object.value() == theirs->value());
  (void)portico::merge::merge_object(nullptr, *theirs, *ours, options);
  return 0;
}
