// How functions, macros and types are added to the language.
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

/// What an evaluation may still cost. One unit is about one step of the interpreter, or ten bytes
/// or elements looked at or made. Used by one evaluation, so by one thread.
class Budget {
 public:
  explicit Budget(std::uint64_t limit) : left_(limit), limit_(limit) {}

  /// False where the budget is used up: give back exhausted() then.
  bool spend(std::uint64_t cost) noexcept {
    if (cost > left_) {
      left_ = 0;
      over_ = true;
      return false;
    }
    left_ -= cost;
    return true;
  }
  /// For what handles `size` bytes or elements; asked before they are made.
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

/// Hands back the result or an error value; never throws. The arguments fit the overload's
/// parameters as far as those are not dyn or type parameters, and none is an error. Safe from any
/// thread. Costs in proportion to the arguments are charged by the caller; what a function makes
/// beyond that it charges itself.
using Implementation = std::function<Value(Args, Budget&)>;

/// Looks at the arguments that are constants (the others are nullptr) when a program is compiled,
/// and may hand back an implementation that has done its work on them: a compiled pattern. An empty
/// function means that there is nothing to gain.
using Preparation = std::function<Implementation(std::span<const Value* const>)>;

struct Overload {
  std::string id;
  std::vector<Type> params;  // of a member the receiver comes first
  Type result;
  bool member = false;
  Implementation call;  // may be empty: it can be checked, but not evaluated
  Preparation prepare = {};
};

struct Function {
  std::string name;
  std::vector<Overload> overloads;
};

/// Makes expressions for a macro, all of them at the place of the call it replaces.
class MacroContext {
 public:
  MacroContext(Ast& ast, const Expr& call) : ast_(ast), call_(call) {}

  Expr* make(ExprKind kind) { return ast_.make(kind, call_.span, call_.anchor); }
  Expr* ident(std::string name);
  Expr* call(std::string function, std::vector<Expr*> args);
  Expr* list(std::vector<Expr*> items);
  Expr* fold(Fold kind, Expr* range, std::string var1, std::string var2, Expr* filter, Expr* body);
  Expr* bind(std::string name, Expr* value, Expr* body);

  /// Refuses the call; the macro then hands back nullptr.
  Expr* refuse(const Expr& at, std::string message);
  bool refused() const { return !error.empty(); }

  std::string error;
  std::uint32_t error_offset = 0;

 private:
  Ast& ast_;
  const Expr& call_;
};

/// The name that `arg` gives a loop variable; nullptr, with the call refused, where it is none.
const std::string* loop_variable(MacroContext& context, const Expr& arg);

/// Replaces calls of `name` with `args` arguments (-1: any number).
struct Macro {
  std::string name;
  int args = 0;
  bool member = false;
  /// nullptr without refuse() leaves the call as it is.
  std::function<Expr*(MacroContext&, const Expr& call)> expand;
};

/// Where a validator reports to.
class Report {
 public:
  virtual ~Report() = default;
  virtual void error(const Expr& at, std::string message) = 0;
};

/// Looks at each checked call of one function: literal arguments that can never be right.
using Validator = std::function<void(const Expr& call, Report& report)>;

struct Library {
  std::string name;
  std::vector<Function> functions;
  std::vector<Macro> macros;
  std::map<std::string, Type> types;  // names that denote a type in expressions
  bool optional_syntax = false;       // a.?b, a[?b], [?a], {?a: b}
  std::multimap<std::string, Validator> validators;
  /// Functions that take a list of anything: Options::homogeneous_literals leaves a list alone that
  /// is written as their argument.
  std::set<std::string> mixed_literals;
};

/// "no such overload: name(int, string)".
Value no_such_overload(std::string_view function, Args args);

}  // namespace portico::cel
