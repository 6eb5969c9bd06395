// How the evaluator stops. Thrown inside this module only: Program::run turns it into a Failure.
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>

#include "starlark/heap.h"
#include "starlark/internal/object.h"
#include "starlark/program.h"

namespace portico::starlark::internal {

/// An operation deep in a comparison or a callback of sorted() can end the program: unwinding by an
/// exception keeps every step in between free of error handling.
struct Fault {
  Failure::Kind kind;
  std::string message;
};

template <class... Args>
[[noreturn]] void fault(fmt::format_string<Args...> text, Args&&... args) {
  throw Fault{Failure::Kind::kError, fmt::format(text, std::forward<Args>(args)...)};
}

[[noreturn]] inline void exhausted(const Heap& heap) {
  throw Fault{Failure::Kind::kLimit, heap.exhausted()};
}

/// Counts work before it is done.
inline void pay(Heap& heap, std::uint64_t steps) {
  if (!heap.spend(steps)) exhausted(heap);
}

/// Work on so many bytes of text.
inline void pay_bytes(Heap& heap, std::size_t bytes) { pay(heap, bytes / 32 + 1); }

/// Before something large is made.
void require(Heap& heap, std::size_t bytes);

}  // namespace portico::starlark::internal
