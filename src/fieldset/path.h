// Steps from a value to one of its fields, and paths of steps.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/value.h"

namespace portico::fieldset {

/// A map member by name, or a list item: by the values of its keys, by its own value (lists of type
/// set), or by index.
struct Step {
  enum class Kind : std::uint8_t { kField, kKeys, kItem, kIndex };
  Kind kind = Kind::kField;
  json::Value value;  // the name; an object; a scalar; an integer

  static Step field(json::Value name) { return {Kind::kField, std::move(name)}; }

  /// Kubernetes' order: fields by name, then items by keys, by value, by index. Numbers are
  /// compared by value: 1 equals 1.0.
  friend std::strong_ordering operator<=>(const Step& a, const Step& b);
  friend bool operator==(const Step& a, const Step& b) { return (a <=> b) == 0; }
};

/// ".name", "[kind=\"plain\",name=\"x\"]", "[=\"a\"]", "[3]": as Kubernetes prints it.
std::string text_of(const Step& step);

/// The FieldsV1 notation: "f:name", "k:{\"name\":\"x\"}", "v:\"a\"", "i:3".
std::string key_of(const Step& step);
/// nullopt for an unknown letter: such fields are skipped. kInvalid if it is malformed: no colon,
/// or a value that is not JSON.
Result<std::optional<Step>> parse_step(const json::Value& key);

using Path = std::vector<Step>;
std::string text_of(const Path& path);

/// Whether a and b are deeply equal; 1 equals 1.0.
bool same(const json::Value& a, const json::Value& b);

}  // namespace portico::fieldset
