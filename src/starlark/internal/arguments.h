// Positional arguments of built-in functions.
#pragma once

#include <cstdint>
#include <string_view>

#include "starlark/call.h"
#include "starlark/internal/eval_error.h"
#include "starlark/internal/object.h"

namespace portico::starlark::internal {

/// Each function faults with a message that names the function and the argument: "find: for
/// parameter 1: got int, want string".
class Arguments {
 public:
  /// Checks that there are `least` to `most` arguments, none of them by name.
  Arguments(const Call& call, std::size_t least, std::size_t most);

  std::size_t size() const { return call_.args.size(); }
  bool has(std::size_t index) const { return index < size(); }
  /// None if the argument was not given.
  Value operator[](std::size_t index) const { return has(index) ? call_.args[index] : Value(); }
  std::string_view text(std::size_t index, std::string_view otherwise = "") const;
  std::int64_t integer(std::size_t index, std::int64_t otherwise = 0) const;
  bool boolean(std::size_t index, bool otherwise = false) const;
  /// The argument itself, after checking that it is iterable.
  Value iterable(std::size_t index) const;

 private:
  [[noreturn]] void wrong_type(std::size_t index, std::string_view wanted) const;
  const Call& call_;
};

/// Faults if the call has named arguments: "chr does not accept keyword arguments".
void check_no_names(const Call& call);

/// Ends a method with an error that begins with the method's name.
template <class... Args>
[[noreturn]] void fail(const Call& call, fmt::format_string<Args...> text, Args&&... args) {
  throw EvalError{Failure::Kind::kError,
                  fmt::format("{}: {}", call.name, fmt::format(text, std::forward<Args>(args)...))};
}

/// Runs `operation` and puts the function's name before the message of its fault, unless a limit
/// was reached.
template <class Operation>
auto named_fault(const Call& call, Operation operation) {
  try {
    return operation();
  } catch (EvalError& why) {
    if (why.kind == Failure::Kind::kError)
      why.message = fmt::format("{}: {}", call.name, why.message);
    throw;
  }
}

}  // namespace portico::starlark::internal
