// The arguments of a host function call.
#pragma once

#include <fmt/format.h>

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "starlark/heap.h"

namespace portico::starlark {

/// One call. Valid for the duration of the call only.
class Call {
 public:
  using Named = std::pair<Value, Value>;  // the name is a string
  Call(Heap& values, std::string_view function, std::span<const Value> by_position,
       std::span<const Named> by_name)
      : heap(values), name(function), args(by_position), named(by_name) {}

  /// Binds one value to each parameter; a parameter that was not given is unset (see `has`).
  /// Parameters from the first whose name ends in '?' on are optional. kInvalid with the same
  /// messages as for calls of Starlark functions: "f: missing argument for x", "f: unexpected
  /// keyword argument z", ...
  Result<Done> bind(std::initializer_list<std::string_view> parameters);
  /// The same for parameters without names: at least `least` and at most `most`.
  Result<Done> bind_positional(std::size_t least, std::size_t most);
  bool has(std::size_t parameter) const { return bound_[parameter].has_value(); }
  /// The bound argument, or None if there is none.
  Value operator[](std::size_t parameter) const { return bound_[parameter].value_or(Value()); }
  /// The bound argument as text, or `otherwise` if it was not given. kInvalid if it is not a string
  /// ("f: for parameter x: got int, want string").
  Result<std::string_view> text(std::size_t parameter, std::string_view otherwise = "") const;
  Result<std::int64_t> integer(std::size_t parameter, std::int64_t otherwise = 0) const;
  Result<bool> boolean(std::size_t parameter, bool otherwise = false) const;
  /// The elements of the bound argument, which must be iterable.
  Result<std::vector<Value>> elements(std::size_t parameter) const;

  /// kInvalid, "name: ...".
  template <class... Args>
  Error fail(fmt::format_string<Args...> format, Args&&... values) const {
    return invalid("{}: {}", name, fmt::format(format, std::forward<Args>(values)...));
  }

  Heap& heap;
  const std::string_view name;
  const std::span<const Value> args;
  const std::span<const Named> named;
  Value receiver;  // of a method; None for other functions

 private:
  Error wrong_type(std::size_t parameter, std::string_view wanted) const;

  std::vector<std::string> parameters_;
  std::vector<std::optional<Value>> bound_;
};

}  // namespace portico::starlark
