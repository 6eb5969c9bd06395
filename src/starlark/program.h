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

/// An active call; a built-in function has no position.
struct Frame {
  std::string function, file;
  Position position;
};

/// The reason why a run failed.
struct Failure {
  enum class Kind {
    kError,  // an error in the program: a type, a key, an index, ...
    kFail,   // the program called fail
    kLimit,  // the run was stopped
  };
  Kind kind = Kind::kError;
  std::string message;       // without position: `key "x" not in dict`
  std::vector<Frame> stack;  // outermost call first

  /// "file:line:column: message".
  std::string text() const;
  /// The stack, one line per call, and the message, in Starlark's usual format.
  std::string traceback() const;
};

/// The environment that the host provides to a run.
struct Environment {
  /// The values of the names that the program was compiled with.
  Members predeclared;
  /// Returns the members of a module for load(); kInvalid if there is no such module.
  std::function<Result<Members>(Heap& heap, std::string_view module)> load = nullptr;
  /// Receives the output of one print(), without a line end.
  std::function<void(std::string_view line)> print = nullptr;
};

struct Outcome {
  Members globals;  // those that are set; frozen
  std::optional<Failure> failure;
};

/// Immutable and cheap to copy. Several threads may run one at the same time, each with its own
/// Heap.
class Program {
 public:
  /// Parses the source, resolves all names and compiles. `name` is the file name for messages;
  /// `predeclared` are the names that the environment provides. kInvalid with the first error, as
  /// "name:line:column: message". Sources: the Starlark specification; messages and limits of
  /// names, scopes and operators follow go.starlark.net.
  static Result<Program> compile(std::string_view source, std::string_view name,
                                 const std::vector<std::string>& predeclared = {},
                                 Dialect dialect = {});

  /// Never throws and never overflows the stack: every run ends in an Outcome.
  Outcome run(Heap& heap, const Environment& environment) const;

  const std::string& name() const;

 private:
  explicit Program(std::shared_ptr<const internal::Code> code) : code_(std::move(code)) {}
  std::shared_ptr<const internal::Code> code_;
};

}  // namespace portico::starlark
