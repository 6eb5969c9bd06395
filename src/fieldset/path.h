// One step from an object to one of its fields, and paths of them.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/value.h"

namespace portico::fieldset {

/// A member of a map by its name, or an item of a list: by the values of its keys, by its own value
/// (lists that are sets), or by its index.
struct Step {
  enum class Kind : std::uint8_t { kField, kKeys, kItem, kIndex };
  Kind kind = Kind::kField;
  json::Value value;  // the name; an object; a scalar; an integer

  static Step field(json::Value name) { return {Kind::kField, std::move(name)}; }

  /// In Kubernetes' order: fields by name, then items by keys, by value, by index. Numbers are
  /// compared by value, 1 and 1.0 being equal.
  friend std::strong_ordering operator<=>(const Step& a, const Step& b);
  friend bool operator==(const Step& a, const Step& b) { return (a <=> b) == 0; }
};

/// ".name", "[kind=\"plain\",name=\"x\"]", "[=\"a\"]", "[3]": as Kubernetes prints it.
std::string text_of(const Step& step);

/// As FieldsV1 has it: "f:name", "k:{\"name\":\"x\"}", "v:\"a\"", "i:3".
std::string key_of(const Step& step);
/// Nothing for a letter that is not known: such fields are passed over. kInvalid for what is no
/// step: no colon, or a value that is no JSON.
Result<std::optional<Step>> parse_step(const json::Value& key);

using Path = std::vector<Step>;
std::string text_of(const Path& path);

/// Whether a and b are equal, 1 and 1.0 being equal, at any depth.
bool same(const json::Value& a, const json::Value& b);

}  // namespace portico::fieldset
