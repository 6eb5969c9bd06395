// What a person waits for: `wait --for`, as kubectl writes it. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "json/value.h"
#include "jsonpath/path.h"

namespace portico::resources {

/// "create", "delete", "condition=Ready", "condition=Stalled=False", "jsonpath={.spec.x}=3",
/// "jsonpath={.status.y}". A value; any thread may ask one.
class Awaited {
 public:
  /// kInvalid names what can be waited for. The words and the types of conditions are read whatever
  /// their case.
  static Result<Awaited> parse(std::string_view text);

  /// Whether it holds for the object; null: there is no such object. A condition that was written
  /// for an earlier generation does not hold yet. Of a path without a value something must be
  /// there; with one, everything that the path leads to must print as it.
  bool met(const json::Value& object) const;
  /// Whether an object that is not there may be waited for.
  bool takes_absent() const { return kind_ == Kind::kCreate || kind_ == Kind::kDelete; }
  /// Whether it is about the object's end.
  bool is_delete() const { return kind_ == Kind::kDelete; }

 private:
  enum class Kind { kCreate, kDelete, kCondition, kPath } kind_ = Kind::kCondition;
  std::string condition_, value_;  // of a condition in small letters
  std::optional<jsonpath::Path> path_;
  bool any_value_ = false;
};

}  // namespace portico::resources
