// Errors inside the evaluator. Thrown only in this module: Program::run makes them a Failure.
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>

#include "starlark/heap.h"
#include "starlark/internal/object.h"
#include "starlark/program.h"

namespace portico::starlark::internal {

/// An operation deep in a comparison or in a callback of sorted() can end the program. An exception
/// keeps the steps in between free of error handling.
struct EvalError {
  Failure::Kind kind;
  std::string message;
};

template <class... Args>
[[noreturn]] void fault(fmt::format_string<Args...> text, Args&&... args) {
  throw EvalError{Failure::Kind::kError, fmt::format(text, std::forward<Args>(args)...)};
}

[[noreturn]] inline void exhausted(const Heap& heap) {
  throw EvalError{Failure::Kind::kLimit, heap.exhausted()};
}

/// Charges for work; call it before doing the work.
inline void pay(Heap& heap, std::uint64_t steps) {
  if (!heap.spend(steps)) exhausted(heap);
}

/// Charges for work on `bytes` bytes of text.
inline void pay_bytes(Heap& heap, std::size_t bytes) { pay(heap, bytes / 32 + 1); }

/// Checks the memory limit; call it before creating something large.
void require(Heap& heap, std::size_t bytes);

}  // namespace portico::starlark::internal
