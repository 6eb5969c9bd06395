// Optional values.
#include "cel_lib/internal/declare.h"
#include "cel_lib/libraries.h"

namespace portico::cel_lib {
namespace {

bool is_zero(const Value& value) {
  switch (value.kind()) {
    case Kind::kNull:
      return true;
    case Kind::kBool:
      return !value.as_bool();
    case Kind::kInt:
      return value.as_int() == 0;
    case Kind::kUint:
      return value.as_uint() == 0;
    case Kind::kDouble:
      return value.as_double() == 0;
    case Kind::kString:
    case Kind::kBytes:
      return value.text().empty();
    case Kind::kList:
      return value.as_list().size() == 0;
    case Kind::kMap:
      return value.as_map().size() == 0;
    case Kind::kDuration:
      return value.as_duration() == 0;
    case Kind::kOptional:
      return value.as_optional() == nullptr;
    default:
      return false;
  }
}

Value unwrap(Args args, Budget&) {
  std::vector<Value> out;
  for (Value& item : elements(args[0])) {
    if (!item.is(Kind::kOptional)) return cel::no_such_overload("optional.unwrap", Args(&item, 1));
    if (const Value* held = item.as_optional()) out.push_back(*held);
  }
  return Value::list(std::move(out));
}

Value end_of(const Value& list, bool last) {
  const std::size_t size = list.as_list().size();
  if (size == 0) return Value::optional_none();
  return Value::optional_of(list.as_list().at(last ? size - 1 : 0));
}

Macro mapping(const std::string& name, Fold fold) {
  return {name, 2, true, [name, fold](MacroContext& context, const Expr& call) -> Expr* {
            const Expr& variable = *call.args[0];
            if (variable.kind != ExprKind::kIdent || variable.absolute)
              return context.refuse(variable,
                                    name + "() variable name must be a simple identifier");
            return context.fold(fold, call.target, variable.name, "", nullptr, call.args[1]);
          }};
}

}  // namespace

Library optionals() {
  Declarations to;
  const Type held = Type::param("V");
  const Type optional = Type::optional(held);
  const Type list = Type::list(held);
  const Type optionals = Type::list(optional);
  to.global("optional.of", {held}, optional,
            [](Args args, Budget&) { return Value::optional_of(args[0]); });
  to.global("optional.ofNonZeroValue", {held}, optional, [](Args args, Budget&) {
    return is_zero(args[0]) ? Value::optional_none() : Value::optional_of(args[0]);
  });
  to.global("optional.none", {}, optional, [](Args, Budget&) { return Value::optional_none(); });
  to.global("optional.unwrap", {optionals}, list, unwrap);
  to.member("unwrapOpt", {optionals}, list, unwrap);
  to.member("hasValue", {optional}, kBool,
            [](Args args, Budget&) { return Value(args[0].as_optional() != nullptr); });
  to.member("value", {optional}, held, [](Args args, Budget&) {
    const Value* value = args[0].as_optional();
    return value == nullptr ? Value::error("optional.none() dereference") : *value;
  });
  // Evaluated as operators, since their argument may not be needed.
  to.member("or", {optional, optional}, optional, {});
  to.member("orValue", {optional, held}, held, {});
  to.member("first", {list}, optional, [](Args args, Budget&) { return end_of(args[0], false); });
  to.member("last", {list}, optional, [](Args args, Budget&) { return end_of(args[0], true); });
  Library out;
  out.name = "optionals";
  out.functions = to.take();
  out.macros = {mapping("optMap", Fold::kOptMap), mapping("optFlatMap", Fold::kOptFlatMap)};
  out.types.emplace("optional_type", Type::optional(Type()));
  out.optional_syntax = true;
  return out;
}

}  // namespace portico::cel_lib
