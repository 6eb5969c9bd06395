#include "fieldset/internal/last_applied.h"

#include "fieldset/typed.h"
#include "json/text.h"

namespace portico::fieldset::internal {
namespace {

using json::Value;

constexpr std::size_t kMaxAnnotations = 256 << 10;

/// Escapes characters that are special in HTML, like Go's JSON encoder.
std::string escaped(const std::string& json) {
  std::string out;
  for (std::size_t i = 0; i < json.size(); ++i) {
    if (json[i] == '<') {
      out += "\\u003c";
    } else if (json[i] == '>') {
      out += "\\u003e";
    } else if (json[i] == '&') {
      out += "\\u0026";
    } else if (json.compare(i, 3, "\xe2\x80\xa8") == 0 || json.compare(i, 3, "\xe2\x80\xa9") == 0) {
      out += json[i + 2] == '\xa8' ? "\\u2028" : "\\u2029";
      i += 2;
    } else {
      out += json[i];
    }
  }
  return out;
}

std::size_t size_of(const Value& annotations) {
  std::size_t size = 0;
  for (const json::Member& one : annotations.members())
    size += one.name().size() + one.value.as_string().size();
  return size;
}

}  // namespace

Set recorded_fields(const Value& live, const Type& type, std::string_view api_version) {
  const std::string_view text = live["metadata"]["annotations"][kLastApplied].as_string();
  if (text.empty()) return {};
  const auto last = json::parse(text);
  if (!last || (*last)["apiVersion"].as_string() != api_version || !check(*last, type)) return {};
  const Changes since = changes(*last, live, type);
  Set fields = difference(fields_of(*last, type), since.modified);
  fields = difference(fields, since.added);
  return difference(fields, since.removed);
}

Value with_record(const Value& object, const Value& applied) {
  const Value& annotations = object["metadata"]["annotations"];
  if (annotations[kLastApplied].as_string().empty()) return object;
  const Value bare = applied.without_at({"metadata", "annotations", kLastApplied});
  Value changed = annotations.with(kLastApplied, escaped(json::print(bare)) + "\n");
  if (size_of(changed) > kMaxAnnotations) changed = changed.without(kLastApplied);
  return object.with_at({"metadata", "annotations"}, std::move(changed));
}

}  // namespace portico::fieldset::internal
