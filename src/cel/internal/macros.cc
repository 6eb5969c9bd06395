// The standard macros, and helpers for all macros to build their expansions.
#include "cel/internal/language.h"
#include "cel/library.h"

namespace portico::cel {

Expr* MacroContext::ident(std::string name) {
  Expr* out = make(ExprKind::kIdent);
  out->name = std::move(name);
  return out;
}

Expr* MacroContext::call(std::string function, std::vector<Expr*> args) {
  Expr* out = make(ExprKind::kCall);
  out->name = std::move(function);
  out->args = std::move(args);
  return out;
}

Expr* MacroContext::list(std::vector<Expr*> items) {
  Expr* out = make(ExprKind::kList);
  out->optional_items.assign(items.size(), false);
  out->args = std::move(items);
  return out;
}

Expr* MacroContext::fold(Fold kind, Expr* range, std::string var1, std::string var2, Expr* filter,
                         Expr* body) {
  Expr* out = make(ExprKind::kFold);
  out->fold = kind;
  out->target = range;
  out->var1 = std::move(var1);
  out->var2 = std::move(var2);
  out->args = {filter, body};
  return out;
}

Expr* MacroContext::bind(std::string name, Expr* value, Expr* body) {
  Expr* out = make(ExprKind::kBind);
  out->var1 = std::move(name);
  out->target = value;
  out->args = {body};
  return out;
}

Expr* MacroContext::refuse(const Expr& at, std::string message) {
  if (!refused()) {
    error = std::move(message);
    error_offset = at.anchor;
  }
  return nullptr;
}

const std::string* loop_variable(MacroContext& context, const Expr& arg) {
  if (arg.kind != ExprKind::kIdent || arg.absolute) {
    context.refuse(arg, "argument must be a simple name");
    return nullptr;
  }
  if (arg.name == "__result__" || arg.name == "@result") {
    context.refuse(arg, "iteration variable overwrites accumulator variable");
    return nullptr;
  }
  return &arg.name;
}

namespace internal {
namespace {

Expr* expand_has(MacroContext& context, const Expr& call) {
  Expr* field = call.args[0];
  if (field->kind != ExprKind::kSelect || field->test)
    return context.refuse(*field, "invalid argument to has() macro");
  Expr* out = context.make(ExprKind::kSelect);
  out->name = field->name;
  out->target = field->target;
  out->optional = field->optional;
  out->test = true;
  return out;
}

Macro predicate(std::string name, Fold fold) {
  return {std::move(name), 2, true, [fold](MacroContext& context, const Expr& call) -> Expr* {
            const std::string* variable = loop_variable(context, *call.args[0]);
            if (variable == nullptr) return nullptr;
            return context.fold(fold, call.target, *variable, "", nullptr, call.args[1]);
          }};
}

Macro filtered_map() {
  return {"map", 3, true, [](MacroContext& context, const Expr& call) -> Expr* {
            const std::string* variable = loop_variable(context, *call.args[0]);
            if (variable == nullptr) return nullptr;
            return context.fold(Fold::kMap, call.target, *variable, "", call.args[1], call.args[2]);
          }};
}

}  // namespace

std::vector<Macro> standard_macros() {
  return {{"has", 1, false, expand_has},
          predicate("all", Fold::kAll),
          predicate("exists", Fold::kExists),
          predicate("exists_one", Fold::kExistsOne),
          predicate("existsOne", Fold::kExistsOne),
          predicate("filter", Fold::kFilter),
          predicate("map", Fold::kMap),
          filtered_map()};
}

}  // namespace internal
}  // namespace portico::cel
