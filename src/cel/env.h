// The language of an expression: libraries, variables, limits.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cel/diagnostic.h"
#include "cel/library.h"
#include "cel/program.h"
#include "cel/type.h"

namespace portico::cel {

namespace internal {
struct Language;
}

struct Limits {
  std::size_t source_bytes = 100'000;
  std::size_t expressions = 50'000;  // nodes of the tree, after macros
  std::uint16_t depth = 250;         // of nesting and of the tree
  std::uint64_t cost = 1'000'000;    // of one evaluation
};

struct Options {
  bool check = true;                        // if false, type errors appear only at run time
  bool macros = true;                       // if false, has, all, exists, ... are ordinary calls
  bool homogeneous_literals = false;        // reject [1, 'a']
  bool cross_type_comparisons = false;      // 1 < 2.0 checks without dyn()
  bool error_on_bad_presence_test = false;  // has(1.a) and 1.?a are errors instead of false
  bool fold_constants = true;
  std::string container;  // where names are looked up first: "a.b" tries a.b.x, a.x, x
  Limits limits;
};

/// The result of checking alone.
struct Checked {
  std::vector<Issue> issues;  // empty if the expression is valid
  Type type;
};

/// Immutable, cheap to copy and thread-safe. Made by EnvBuilder.
class Env {
 public:
  /// kInvalid with the first issue, one line: "1:8: undeclared reference to 'x' (in container '')".
  Result<Program> compile(std::string_view source) const;
  /// Returns all issues, for display().
  Checked check(std::string_view source) const;
  /// Returns the syntax errors only.
  std::vector<Issue> parse(std::string_view source) const;

 private:
  friend class EnvBuilder;
  explicit Env(std::shared_ptr<const internal::Language> language)
      : language_(std::move(language)) {}
  std::shared_ptr<const internal::Language> language_;
};

/// Starts with the operators, the standard macros and the type names. All functions, including
/// those of the standard library, come from libraries (module cel_lib).
class EnvBuilder {
 public:
  EnvBuilder();
  EnvBuilder& add(Library library);
  EnvBuilder& variable(std::string name, const Type& type);
  /// Declares the message type `name` (Type::message): an object with exactly these fields, so that
  /// selecting any other field fails the check. Its values are the caller's own maps. Undeclared
  /// messages have any field.
  EnvBuilder& structure(std::string name, std::map<std::string, Type, std::less<>> fields);
  /// Declares a function (or adds an overload to one), with or without an implementation.
  EnvBuilder& function(std::string name, Overload overload);
  EnvBuilder& options(Options options);
  /// kInvalid if two declarations conflict.
  Result<Env> build() const;

 private:
  std::shared_ptr<internal::Language> language_;
  std::vector<std::string> problems_;
};

}  // namespace portico::cel
