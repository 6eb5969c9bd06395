// Conditions to wait for: `wait --for`, in kubectl's syntax. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "json/value.h"
#include "jsonpath/path.h"

namespace portico::resources {

/// "create", "delete", "condition=Ready", "condition=Stalled=False", "jsonpath={.spec.x}=3",
/// "jsonpath={.status.y}". An immutable value, usable from any thread.
class Awaited {
 public:
  /// kInvalid names the supported forms. Keywords and condition types are case-insensitive.
  static Result<Awaited> parse(std::string_view text);

  /// Whether the object meets the condition; null: the object does not exist. A condition written
  /// for an earlier generation does not count. A path without a value must find something; with a
  /// value, everything that it finds must print as that value.
  bool met(const json::Value& object) const;
  /// Whether it makes sense to wait for an object that does not exist.
  bool takes_absent() const { return kind_ == Kind::kCreate || kind_ == Kind::kDelete; }
  /// Whether it waits for the deletion of the object.
  bool is_delete() const { return kind_ == Kind::kDelete; }

 private:
  enum class Kind { kCreate, kDelete, kCondition, kPath } kind_ = Kind::kCondition;
  std::string condition_, value_;  // condition type and status in lower case
  std::optional<jsonpath::Path> path_;
  bool any_value_ = false;
};

}  // namespace portico::resources
