#include "cel/internal/checker.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "cel/internal/parser.h"
#include "cel/internal/unify.h"
#include "cel/internal/wellknown.h"

namespace portico::cel::internal {
namespace {

Type type_of_literal(const Value& value) {
  switch (value.kind()) {
    case Kind::kNull:
      return TypeKind::kNull;
    case Kind::kBool:
      return TypeKind::kBool;
    case Kind::kInt:
      return TypeKind::kInt;
    case Kind::kUint:
      return TypeKind::kUint;
    case Kind::kDouble:
      return TypeKind::kDouble;
    case Kind::kString:
      return TypeKind::kString;
    case Kind::kBytes:
      return TypeKind::kBytes;
    case Kind::kType:
      return TypeKind::kType;
    default:
      return Type();
  }
}

// A type can share parts with itself, and so be exponentially larger than its expression.
constexpr std::size_t kLargestType = 1000;

// The number of parts of a type, counted up to `most`.
std::size_t parts_of(const Type& type, std::size_t most) {
  std::size_t count = 1;
  for (const Type& param : type.params()) {
    if (count >= most) return count;
    count += parts_of(param, most - count);
  }
  return count;
}

class Checker final : public Report {
 public:
  Checker(Ast& ast, const Language& language) : ast_(ast), language_(language) {}

  std::vector<Issue> run() {
    check(*ast_.root);
    ast_.for_each([this](Expr& expr) {
      if (expr.checked) expr.type = unifier_.resolve(expr.type, true);
    });
    if (issues_.empty() && !language_.validators.empty()) validate(*ast_.root);
    std::stable_sort(issues_.begin(), issues_.end(),
                     [](const Issue& a, const Issue& b) { return a.offset < b.offset; });
    return std::move(issues_);
  }

  void error(const Expr& at, std::string message) override {
    issues_.push_back({at.anchor, std::move(message)});
  }

 private:
  struct Local {
    std::string name;
    Type type;
  };

  const Type& check(Expr& expr) {
    expr.type = deduce(expr);
    if (!expr.type.params().empty() && parts_of(expr.type, kLargestType) >= kLargestType)
      expr.type = fail(expr, fmt::format("type has more than {} parts", kLargestType));
    expr.checked = true;
    return expr.type;
  }

  Type deduce(Expr& expr) {
    switch (expr.kind) {
      case ExprKind::kLiteral:
        return type_of_literal(expr.value);
      case ExprKind::kIdent:
        return ident(expr);
      case ExprKind::kSelect:
        return select(expr);
      case ExprKind::kCall:
        return call(expr);
      case ExprKind::kList:
        return list(expr);
      case ExprKind::kMap:
        return map(expr);
      case ExprKind::kMessage:
        return message(expr);
      case ExprKind::kFold:
        return fold(expr);
      case ExprKind::kBind:
        return bind(expr);
      case ExprKind::kBlock:
        return block(expr);
    }
    return TypeKind::kError;
  }

  Type fail(const Expr& at, std::string message) {
    error(at, std::move(message));
    return TypeKind::kError;
  }

  Type undeclared(const Expr& at, std::string_view name) {
    return fail(at, fmt::format("undeclared reference to '{}' (in container '{}')", name,
                                language_.options.container));
  }

  const Type* local(std::string_view name) const {
    const auto found = std::find_if(locals_.rbegin(), locals_.rend(),
                                    [&](const Local& each) { return each.name == name; });
    return found == locals_.rend() ? nullptr : &found->type;
  }

  // Turns `expr` into the global that `name` refers to, if there is one.
  std::optional<Type> global(Expr& expr, std::string_view name, bool absolute) {
    for (std::string& each : candidates(language_.options.container, name, absolute)) {
      if (const auto found = language_.variables.find(each); found != language_.variables.end()) {
        expr.kind = ExprKind::kIdent;
        expr.target = nullptr;
        expr.name = std::move(each);
        expr.absolute = true;
        return found->second;
      }
      if (const auto found = language_.constants.find(each); found != language_.constants.end()) {
        expr.kind = ExprKind::kLiteral;
        expr.target = nullptr;
        expr.value = found->second;
        return type_of_literal(found->second);
      }
      if (const auto found = language_.types.find(each); found != language_.types.end()) {
        expr.kind = ExprKind::kLiteral;
        expr.target = nullptr;
        expr.value = Value::type(found->second.runtime_name());
        return found->second.is(TypeKind::kType) ? Type(TypeKind::kType)
                                                 : Type::type_of(found->second);
      }
    }
    return std::nullopt;
  }

  Type ident(Expr& expr) {
    if (!expr.absolute)
      if (const Type* type = local(expr.name)) return *type;
    const std::string name = expr.name;
    if (auto type = global(expr, name, expr.absolute)) return *type;
    return undeclared(expr, name);
  }

  bool names_local(const Expr& expr) const {
    const Expr* first = first_name(expr);
    return first != nullptr && !first->absolute && local(first->name) != nullptr;
  }

  Type select(Expr& expr) {
    if (!expr.test && !expr.optional) {
      const Expr* first = first_name(expr);
      if (first != nullptr && !names_local(expr))
        if (auto type = global(expr, qualified_name(expr), first->absolute)) return *type;
    }
    Type operand = unifier_.resolve(check(*expr.target), false);
    const bool through = operand.is_optional();
    if (through) operand = Type(operand.param(0));
    Type field = field_type(expr, operand);
    if (expr.test) return TypeKind::kBool;
    return through || expr.optional ? Type::optional(std::move(field)) : field;
  }

  Type field_type(const Expr& expr, const Type& operand) {
    switch (operand.kind()) {
      case TypeKind::kMap:
        return operand.param(1);
      case TypeKind::kMessage:
        return message_field(expr, operand.name());
      case TypeKind::kDyn:
      case TypeKind::kAny:
      case TypeKind::kError:
        return Type();
      case TypeKind::kVariable:
        unifier_.assignable(Type(), operand);
        return Type();
      default:
        return fail(expr, fmt::format("type '{}' does not support field selection",
                                      unifier_.resolve(operand, true).text()));
    }
  }

  Type message_field(const Expr& expr, const std::string& message) {
    const auto structure = language_.structures.find(message);
    if (structure == language_.structures.end()) return Type();
    const auto field = structure->second.find(expr.name);
    if (field != structure->second.end()) return field->second;
    return fail(expr, fmt::format("undefined field '{}'", expr.name));
  }

  const Function* find_function(std::string_view name, bool absolute, std::string& found_name) {
    for (std::string& each : candidates(language_.options.container, name, absolute)) {
      const auto found = language_.functions.find(each);
      if (found == language_.functions.end()) continue;
      found_name = std::move(each);
      return &found->second;
    }
    return nullptr;
  }

  Type call(Expr& expr) {
    const Function* function = nullptr;
    std::string name;
    if (expr.target != nullptr) {
      const std::string space = qualified_name(*expr.target);
      if (!space.empty() && !names_local(*expr.target)) {
        function = find_function(space + "." + expr.name, first_name(*expr.target)->absolute, name);
        if (function != nullptr) expr.target = nullptr;
      }
      if (function == nullptr) function = find_function(expr.name, true, name);
    } else if (expr.name == "_&&_" || expr.name == "_||_") {
      return logic(expr);
    } else {
      function = find_function(expr.name, false, name);
    }
    std::vector<Type> args;
    args.reserve(expr.args.size() + 1);
    if (expr.target != nullptr) args.push_back(check(*expr.target));
    const bool mixed = function != nullptr && language_.mixed_literals.contains(function->name);
    for (Expr* arg : expr.args) {
      mixed_literal_ = mixed && arg->kind == ExprKind::kList ? arg : nullptr;
      args.push_back(check(*arg));
    }
    if (function == nullptr) return undeclared(expr, expr.name);
    expr.name = std::move(name);
    return overload(expr, *function, args);
  }

  // && and || take any number of operands.
  Type logic(Expr& expr) {
    std::vector<Type> args;
    bool fits = true;
    for (Expr* arg : expr.args) {
      args.push_back(check(*arg));
      fits = unifier_.assignable(args.back(), TypeKind::kBool) && fits;
    }
    if (!fits) return no_overload(expr, expr.name, args, false);
    return TypeKind::kBool;
  }

  Type overload(Expr& expr, const Function& function, const std::vector<Type>& args) {
    const bool member = expr.target != nullptr;
    std::optional<Type> result;
    expr.overloads.clear();
    for (std::size_t i = 0; i < function.overloads.size(); ++i) {
      const Overload& each = function.overloads[i];
      if (each.member != member || each.params.size() != args.size()) continue;
      std::map<std::string, Type> names;
      const bool generic = each.result.has_params() ||
                           std::any_of(each.params.begin(), each.params.end(),
                                       [](const Type& param) { return param.has_params(); });
      std::vector<Type> params;
      if (generic)
        for (const Type& param : each.params) params.push_back(unifier_.instantiate(param, names));
      if (!unifier_.assignable(args, generic ? params : each.params)) continue;
      expr.overloads.push_back(static_cast<std::uint16_t>(i));
      Type type =
          generic ? unifier_.resolve(unifier_.instantiate(each.result, names), false) : each.result;
      if (!result) {
        result = std::move(type);
      } else if (!result->is_dyn() && !(*result == type)) {
        result = Type();
      }
    }
    return result ? std::move(*result) : no_overload(expr, function.name, args, member);
  }

  Type no_overload(const Expr& at, std::string_view name, const std::vector<Type>& args,
                   bool member) {
    std::string target;
    std::string list;
    for (std::size_t i = 0; i < args.size(); ++i) {
      const std::string text = unifier_.resolve(args[i], true).text();
      if (member && i == 0) {
        target = text + ".";
      } else {
        if (!list.empty()) list += ", ";
        list += text;
      }
    }
    return fail(at, fmt::format("found no matching overload for '{}' applied to '{}({})'", name,
                                target, list));
  }

  // Merges the type of the next element into the type of a literal's elements so far.
  void join(std::optional<Type>& so_far, const Type& next, const Expr& at) {
    if (!so_far) {
      so_far = next;
    } else if (unifier_.assignable(*so_far, next)) {
      so_far = more_general(*so_far, next);
    } else if (language_.options.homogeneous_literals) {
      fail(at,
           fmt::format("expected type '{}' but found '{}'", unifier_.resolve(*so_far, true).text(),
                       unifier_.resolve(next, true).text()));
    } else {
      so_far = Type();
    }
  }

  Type item_type(Expr& item, bool optional) {
    Type type = unifier_.resolve(check(item), false);
    if (!optional || type.is_dyn() || type.is(TypeKind::kError)) return type;
    if (type.is_optional()) return type.param(0);
    return fail(item, fmt::format("expected type '{}' but found '{}'",
                                  Type::optional(unifier_.resolve(type, true)).text(),
                                  unifier_.resolve(type, true).text()));
  }

  Type list(Expr& expr) {
    std::optional<Type> element;
    if (&expr == mixed_literal_) element = Type();
    for (std::size_t i = 0; i < expr.args.size(); ++i)
      join(element, item_type(*expr.args[i], expr.optional_items[i]), *expr.args[i]);
    return Type::list(element ? std::move(*element) : unifier_.fresh());
  }

  Type map(Expr& expr) {
    std::optional<Type> key;
    std::optional<Type> value;
    for (std::size_t i = 0; i + 1 < expr.args.size(); i += 2) {
      join(key, check(*expr.args[i]), *expr.args[i]);
      join(value, item_type(*expr.args[i + 1], expr.optional_items[i / 2]), *expr.args[i + 1]);
    }
    if (!key) return Type::map(unifier_.fresh(), unifier_.fresh());
    return Type::map(std::move(*key), std::move(*value));
  }

  Type message(Expr& expr) {
    const MessageType* known = nullptr;
    for (const std::string& name :
         candidates(language_.options.container, expr.name, expr.absolute)) {
      known = find_message(name);
      if (known != nullptr) break;
    }
    if (known == nullptr) {
      for (Expr* arg : expr.args) check(*arg);
      return undeclared(expr, expr.name);
    }
    expr.name = known->name;
    expr.absolute = true;
    for (std::size_t i = 0; i < expr.args.size(); ++i) {
      const Type given = item_type(*expr.args[i], expr.optional_items[i]);
      const auto field =
          std::find_if(known->fields.begin(), known->fields.end(),
                       [&](const MessageField& each) { return each.name == expr.fields[i]; });
      if (field == known->fields.end()) {
        fail(*expr.args[i], fmt::format("undefined field '{}'", expr.fields[i]));
      } else if (!unifier_.assignable(given, field->type) && !given.is(TypeKind::kNull)) {
        fail(*expr.args[i],
             fmt::format("expected type of field '{}' is '{}' but provided type is '{}'",
                         field->name, field->type.text(), unifier_.resolve(given, true).text()));
      }
    }
    return known->type;
  }

  // Determines the loop variables' types for a range.
  bool loop_types(const Expr& expr, const Type& range, Type& first, Type& second) {
    const bool two = !expr.var2.empty();
    switch (range.kind()) {
      case TypeKind::kList:
        first = two ? Type(TypeKind::kInt) : range.param(0);
        second = range.param(0);
        return true;
      case TypeKind::kMap:
        first = range.param(0);
        second = range.param(1);
        return true;
      case TypeKind::kVariable:
        unifier_.assignable(Type(), range);
        [[fallthrough]];
      case TypeKind::kDyn:
      case TypeKind::kAny:
      case TypeKind::kError:
        return true;
      default:
        fail(*expr.target,
             fmt::format("expression of type '{}' cannot be range of a comprehension (must be "
                         "list, map, or dynamic)",
                         unifier_.resolve(range, true).text()));
        first = second = TypeKind::kError;
        return false;
    }
  }

  Type fold(Expr& expr) {
    const Type range = unifier_.resolve(check(*expr.target), false);
    Type first;
    Type second;
    if (expr.fold == Fold::kOptMap || expr.fold == Fold::kOptFlatMap) {
      if (range.is_optional()) {
        first = range.param(0);
      } else if (range.is(TypeKind::kVariable)) {
        unifier_.assignable(Type(), range);
      } else if (!range.is_dyn() && !range.is(TypeKind::kError)) {
        return no_overload(expr, "hasValue", {range}, true);
      }
    } else {
      loop_types(expr, range, first, second);
    }
    const std::size_t outer = locals_.size();
    locals_.push_back({expr.var1, first});
    if (!expr.var2.empty()) locals_.push_back({expr.var2, second});
    if (expr.args[0] != nullptr) require_bool(*expr.args[0], "_?_:_");
    Type out = fold_result(expr, range, first);
    locals_.resize(outer);
    return out;
  }

  void require_bool(Expr& expr, std::string_view function) {
    const Type type = check(expr);
    if (!unifier_.assignable(type, TypeKind::kBool))
      no_overload(expr, function, {TypeKind::kBool, type}, false);
  }

  Type fold_result(Expr& expr, const Type& range, const Type& element) {
    Expr& body = *expr.args[1];
    switch (expr.fold) {
      case Fold::kAll:
        require_bool(body, "_&&_");
        return TypeKind::kBool;
      case Fold::kExists:
        require_bool(body, "_||_");
        return TypeKind::kBool;
      case Fold::kExistsOne:
        require_bool(body, "_?_:_");
        return TypeKind::kBool;
      case Fold::kFilter:
        require_bool(body, "_?_:_");
        return Type::list(element);
      case Fold::kMap:
        return Type::list(check(body));
      case Fold::kTransformMap: {
        const Type key = range.is(TypeKind::kList)  ? Type(TypeKind::kInt)
                         : range.is(TypeKind::kMap) ? range.param(0)
                                                    : Type();
        return Type::map(key, check(body));
      }
      case Fold::kTransformMapEntry: {
        const Type entry = unifier_.resolve(check(body), false);
        const Type any = Type::map(unifier_.fresh(), unifier_.fresh());
        if (!unifier_.assignable(entry, any))
          return no_overload(body, "cel.@mapInsert", {any, entry}, false);
        return entry.is(TypeKind::kMap) ? entry : Type::map(Type(), Type());
      }
      case Fold::kOptMap:
        return Type::optional(check(body));
      case Fold::kOptFlatMap: {
        const Type result = unifier_.resolve(check(body), false);
        const Type any = Type::optional(unifier_.fresh());
        if (!unifier_.assignable(result, any))
          return no_overload(body, "_?_:_", {TypeKind::kBool, result, any}, false);
        return result.is_optional() ? result : Type::optional(Type());
      }
    }
    return TypeKind::kError;
  }

  Type bind(Expr& expr) {
    locals_.push_back({expr.var1, check(*expr.target)});
    Type out = check(*expr.args[0]);
    locals_.pop_back();
    return out;
  }

  Type block(Expr& expr) {
    const std::size_t outer = locals_.size();
    for (std::size_t i = 0; i < expr.args.size(); ++i) {
      Type type = check(*expr.args[i]);
      locals_.push_back({fmt::format("@index{}", i), std::move(type)});
    }
    Type out = check(*expr.target);
    locals_.resize(outer);
    return out;
  }

  void validate(const Expr& expr) {
    if (expr.kind == ExprKind::kCall) {
      const auto [begin, end] = language_.validators.equal_range(expr.name);
      for (auto each = begin; each != end; ++each) each->second(expr, *this);
    }
    if (expr.target != nullptr) validate(*expr.target);
    for (const Expr* arg : expr.args)
      if (arg != nullptr) validate(*arg);
  }

  Ast& ast_;
  const Language& language_;
  Unifier unifier_;
  std::vector<Local> locals_;
  std::vector<Issue> issues_;
  const Expr* mixed_literal_ = nullptr;  // a list whose elements need not have one type
};

}  // namespace

std::vector<Issue> check(Ast& ast, const Language& language) {
  return Checker(ast, language).run();
}

}  // namespace portico::cel::internal
