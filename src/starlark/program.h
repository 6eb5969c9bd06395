// A compiled Starlark program.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "starlark/heap.h"
#include "starlark/value.h"
#include "starlark_syntax/dialect.h"
#include "starlark_syntax/position.h"

namespace portico::starlark {

namespace internal {
struct Code;
}

using Members = std::map<std::string, Value, std::less<>>;

/// A call that was under way; a built-in function has no position.
struct Frame {
  std::string function, file;
  Position position;
};

/// Why a run did not end well.
struct Failure {
  enum class Kind {
    kError,  // of the program: a type, a key, an index, ...
    kFail,   // it called fail
    kLimit,  // it was stopped
  };
  Kind kind = Kind::kError;
  std::string message;       // without place: `key "x" not in dict`
  std::vector<Frame> stack;  // outermost call first

  /// "file:line:column: message".
  std::string text() const;
  /// The stack, a line a call, and the message, in Starlark's usual form.
  std::string traceback() const;
};

/// What the host gives a run.
struct Environment {
  /// The values of the names that the program was compiled with.
  Members predeclared;
  /// The members of a module for load(); kInvalid where there is none of that name.
  std::function<Result<Members>(Heap& heap, std::string_view module)> load = nullptr;
  /// One print(), without line end.
  std::function<void(std::string_view line)> print = nullptr;
};

struct Outcome {
  Members globals;  // those that are set, frozen
  std::optional<Failure> failure;
};

/// Immutable and cheap to copy; any number of threads may run one at the same time, each with its
/// own Heap.
class Program {
 public:
  /// Parses, resolves every name and compiles. `name` is the file in messages, `predeclared` are
  /// the names that the environment will have. kInvalid with the first mistake, as
  /// "name:line:column: message". Sources: the Starlark specification; texts and limits of names,
  /// scopes and operators as go.starlark.net has them.
  static Result<Program> compile(std::string_view source, std::string_view name,
                                 const std::vector<std::string>& predeclared = {},
                                 Dialect dialect = {});

  /// Never throws, never fails for want of stack: all that a program can do ends in an Outcome.
  Outcome run(Heap& heap, const Environment& environment) const;

  const std::string& name() const;

 private:
  explicit Program(std::shared_ptr<const internal::Code> code) : code_(std::move(code)) {}
  std::shared_ptr<const internal::Code> code_;
};

}  // namespace portico::starlark
