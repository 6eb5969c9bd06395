// The values of an expression's variables.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "cel/value.h"

namespace portico::cel {

/// The interface through which an evaluation requests variables, one at a time and only those that
/// it reaches. For objects, return a custom Map (value.h): its members are computed on demand too.
class Activation {
 public:
  virtual ~Activation() = default;
  /// nullopt if there is no such variable; an error value if it is unavailable.
  virtual std::optional<Value> find(std::string_view name) const = 0;
};

/// Variables that already have values.
class Variables final : public Activation {
 public:
  Variables() = default;
  explicit Variables(std::map<std::string, Value, std::less<>> values)
      : values_(std::move(values)) {}

  Variables& set(std::string name, Value value) {
    values_.insert_or_assign(std::move(name), std::move(value));
    return *this;
  }
  std::optional<Value> find(std::string_view name) const override {
    const auto found = values_.find(name);
    if (found == values_.end()) return std::nullopt;
    return found->second;
  }

 private:
  std::map<std::string, Value, std::less<>> values_;
};

}  // namespace portico::cel
