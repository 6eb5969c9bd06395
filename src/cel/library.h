// Extends the language with functions, macros and types.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cel/ast.h"
#include "cel/type.h"
#include "cel/value.h"

namespace portico::cel {

/// The remaining cost of an evaluation. One unit is about one interpreter step, or ten bytes or
/// elements read or created. Used by a single evaluation, hence a single thread.
class Budget {
 public:
  explicit Budget(std::uint64_t limit) : left_(limit), limit_(limit) {}

  /// Returns false if the budget is used up: then return exhausted().
  bool spend(std::uint64_t cost) noexcept {
    if (cost > left_) {
      left_ = 0;
      over_ = true;
      return false;
    }
    left_ -= cost;
    return true;
  }
  /// Charges for `size` bytes or elements; call it before creating them.
  bool spend_for(std::size_t size) noexcept { return spend(1 + size / 10); }

  bool over() const noexcept { return over_; }
  std::uint64_t spent() const noexcept { return limit_ - left_; }
  Value exhausted() const;

 private:
  std::uint64_t left_;
  std::uint64_t limit_;
  bool over_ = false;
};

using Args = std::span<const Value>;

/// Returns the result or an error value; never throws. The arguments match the overload's
/// parameters, except where those are dyn or type parameters, and none is an error. Must be
/// thread-safe. The caller charges costs in proportion to the arguments; the function itself
/// charges for anything beyond that.
using Implementation = std::function<Value(Args, Budget&)>;

/// Called at compile time with the constant arguments (the others are nullptr). May return an
/// implementation that has already processed them, such as a compiled pattern. An empty function
/// means that there is nothing to gain.
using Preparation = std::function<Implementation(std::span<const Value* const>)>;

struct Overload {
  std::string id;
  std::vector<Type> params;  // of a member function, the receiver comes first
  Type result;
  bool member = false;
  Implementation call;  // if empty, the function can be checked but not evaluated
  Preparation prepare = {};
};

struct Function {
  std::string name;
  std::vector<Overload> overloads;
};

/// Creates expressions for a macro, all at the position of the call that it replaces.
class MacroContext {
 public:
  MacroContext(Ast& ast, const Expr& call) : ast_(ast), call_(call) {}

  Expr* make(ExprKind kind) { return ast_.make(kind, call_.span, call_.anchor); }
  Expr* ident(std::string name);
  Expr* call(std::string function, std::vector<Expr*> args);
  Expr* list(std::vector<Expr*> items);
  Expr* fold(Fold kind, Expr* range, std::string var1, std::string var2, Expr* filter, Expr* body);
  Expr* bind(std::string name, Expr* value, Expr* body);

  /// Rejects the call; the macro must then return nullptr.
  Expr* refuse(const Expr& at, std::string message);
  bool refused() const { return !error.empty(); }

  std::string error;
  std::uint32_t error_offset = 0;

 private:
  Ast& ast_;
  const Expr& call_;
};

/// The loop variable named by `arg`; if it is not a name, rejects the call and returns nullptr.
const std::string* loop_variable(MacroContext& context, const Expr& arg);

/// Replaces calls of `name` with `args` arguments (-1: any number).
struct Macro {
  std::string name;
  int args = 0;
  bool member = false;
  /// Returning nullptr without refuse() leaves the call unchanged.
  std::function<Expr*(MacroContext&, const Expr& call)> expand;
};

/// Collects the findings of a validator.
class Report {
 public:
  virtual ~Report() = default;
  virtual void error(const Expr& at, std::string message) = 0;
};

/// Inspects each checked call of one function for literal arguments that can never be valid.
using Validator = std::function<void(const Expr& call, Report& report)>;

struct Library {
  std::string name;
  std::vector<Function> functions;
  std::vector<Macro> macros;
  std::map<std::string, Type> types;  // names that denote a type in expressions
  bool optional_syntax = false;       // enables a.?b, a[?b], [?a], {?a: b}
  std::multimap<std::string, Validator> validators;
  /// Functions that take a list of anything: Options::homogeneous_literals does not apply to list
  /// literals that are their arguments.
  std::set<std::string> mixed_literals;
};

/// "no such overload: name(int, string)".
Value no_such_overload(std::string_view function, Args args);

}  // namespace portico::cel
