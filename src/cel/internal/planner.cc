#include "cel/internal/planner.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "cel/internal/parser.h"
#include "cel/internal/wellknown.h"

namespace portico::cel::internal {
namespace {

// Cost limit for folding one constant.
constexpr std::uint64_t kFoldingCost = 1000;

std::optional<Operator> operator_of(std::string_view name) {
  static constexpr std::array<std::pair<std::string_view, Operator>, 12> kOperators = {{
      {"_+_", Operator::kAdd},
      {"_-_", Operator::kSubtract},
      {"_*_", Operator::kMultiply},
      {"_/_", Operator::kDivide},
      {"_%_", Operator::kModulo},
      {"_==_", Operator::kEqual},
      {"_!=_", Operator::kNotEqual},
      {"_<_", Operator::kLess},
      {"_<=_", Operator::kLessEqual},
      {"_>_", Operator::kGreater},
      {"_>=_", Operator::kGreaterEqual},
      {"@in", Operator::kIn},
  }};
  for (const auto& [text, op] : kOperators)
    if (text == name) return op;
  return std::nullopt;
}

class Planner {
 public:
  explicit Planner(const Language& language) : language_(language) {}

  NodePtr plan(const Expr& expr) {
    switch (expr.kind) {
      case ExprKind::kLiteral:
        return std::make_unique<Constant>(expr.span, expr.value);
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
    return nullptr;
  }

  std::size_t slots() const { return slots_; }

 private:
  struct Local {
    std::string name;
    std::size_t slot;
    const Node* lazy;  // for a binding; nullptr for a loop variable
  };

  const Local* find_local(std::string_view name) const {
    const auto found = std::find_if(locals_.rbegin(), locals_.rend(),
                                    [&](const Local& each) { return each.name == name; });
    return found == locals_.rend() ? nullptr : &*found;
  }

  Access access(bool optional, bool test) const {
    return {optional, test, language_.options.error_on_bad_presence_test};
  }

  // Evaluates a node whose parts are all constants.
  NodePtr folded(NodePtr node, bool constant_parts) const {
    if (!constant_parts || !language_.options.fold_constants) return node;
    const Variables none;
    Budget budget(kFoldingCost);
    Frame frame{none, budget, nullptr};
    Value value = node->eval(frame);
    if (value.is_error()) return node;
    return std::make_unique<Constant>(node->span(), std::move(value));
  }

  static bool all_constant(const Nodes& nodes) {
    return std::all_of(nodes.begin(), nodes.end(),
                       [](const NodePtr& node) { return node->constant() != nullptr; });
  }

  NodePtr ident(const Expr& expr) {
    if (!expr.absolute) {
      if (const Local* local = find_local(expr.name))
        return local->lazy == nullptr ? local_node(expr.span, local->slot)
                                      : lazy_node(expr.span, local->slot, *local->lazy);
    }
    if (expr.checked) return variable_node(expr.span, expr.name);
    return unchecked_name(expr);
  }

  // A chain of names in an unchecked expression: a.b.c may be the variable a.b.c, the field c of
  // a.b, or b.c of a, each inside or outside the container; the longest name wins.
  NodePtr unchecked_name(const Expr& expr) {
    std::vector<Attempt> attempts;
    std::vector<std::string> fields;
    const bool absolute = first_name(expr)->absolute;
    for (const Expr* at = &expr;; at = at->target) {
      for (std::string& name :
           candidates(language_.options.container, qualified_name(*at), absolute))
        attempts.push_back({std::move(name), fields});
      if (at->kind == ExprKind::kIdent) break;
      fields.insert(fields.begin(), at->name);
    }
    std::optional<Value> fallback;
    for (const std::string& name :
         candidates(language_.options.container, qualified_name(expr), absolute)) {
      if (const auto found = language_.types.find(name); found != language_.types.end())
        fallback = Value::type(found->second.runtime_name());
      if (const auto found = language_.constants.find(name); found != language_.constants.end())
        fallback = found->second;
      if (fallback) break;
    }
    return name_node(expr.span, std::move(attempts), std::move(fallback));
  }

  NodePtr select(const Expr& expr) {
    if (!expr.checked && !expr.test && !expr.optional) {
      const Expr* first = first_name(expr);
      if (first != nullptr && (first->absolute || find_local(first->name) == nullptr))
        return unchecked_name(expr);
    }
    NodePtr operand = plan(*expr.target);
    const bool constant = operand->constant() != nullptr;
    return folded(
        select_node(expr.span, std::move(operand), expr.name, access(expr.optional, expr.test)),
        constant);
  }

  NodePtr call(const Expr& expr) {
    if (NodePtr node = operation(expr)) return node;
    bool member = expr.target != nullptr;
    std::string name = expr.name;
    const Function* function = resolve(expr, member, name);
    Nodes args;
    if (member) args.push_back(plan(*expr.target));
    for (const Expr* arg : expr.args) args.push_back(plan(*arg));
    if (language_.optional_syntax && member && args.size() == 2 &&
        (name == "or" || name == "orValue"))
      return optional_or_node(expr.span, std::move(args[0]), std::move(args[1]), name == "orValue");
    std::vector<const Overload*> overloads;
    if (function != nullptr) {
      if (expr.checked) {
        for (const std::uint16_t i : expr.overloads) overloads.push_back(&function->overloads[i]);
      } else {
        for (const Overload& each : function->overloads)
          if (each.member == member && each.params.size() == args.size())
            overloads.push_back(&each);
      }
    }
    static const Function kUnknown{"unknown function", {}};
    const bool constant = all_constant(args) && !overloads.empty();
    return folded(call_node(expr.span, function != nullptr ? *function : kUnknown,
                            std::move(overloads), std::move(args)),
                  constant);
  }

  const Function* resolve(const Expr& expr, bool& member, std::string& name) {
    const auto find = [&](std::string_view wanted, bool absolute) -> const Function* {
      for (std::string& each : candidates(language_.options.container, wanted, absolute)) {
        const auto found = language_.functions.find(each);
        if (found == language_.functions.end()) continue;
        name = std::move(each);
        return &found->second;
      }
      return nullptr;
    };
    if (!member) return find(expr.name, false);
    const Expr* first = first_name(*expr.target);
    if (!expr.checked && first != nullptr &&
        (first->absolute || find_local(first->name) == nullptr)) {
      if (const Function* function =
              find(qualified_name(*expr.target) + "." + expr.name, first->absolute)) {
        member = false;
        return function;
      }
    }
    return find(expr.name, true);
  }

  // Operators have their own nodes; nullptr for everything else.
  NodePtr operation(const Expr& expr) {
    if (expr.target != nullptr || expr.name.empty()) return nullptr;
    const char first = expr.name.front();
    if (first != '_' && first != '@' && first != '!' && first != '-') return nullptr;
    const bool logic = expr.name == "_&&_" || expr.name == "_||_";
    const std::optional<Operator> op = operator_of(expr.name);
    const bool known = logic || op || expr.name == "!_" || expr.name == "-_" ||
                       expr.name == "_?_:_" || expr.name == "_[_]" || expr.name == "_[?_]";
    if (!known) return nullptr;
    Nodes args;
    for (const Expr* arg : expr.args) args.push_back(plan(*arg));
    const bool constant = all_constant(args);
    return folded(operation(expr, op, std::move(args)), constant);
  }

  NodePtr operation(const Expr& expr, std::optional<Operator> op, Nodes args) {
    const Span span = expr.span;
    if (op) return binary_node(span, *op, std::move(args[0]), std::move(args[1]));
    if (expr.name == "!_") return not_node(span, std::move(args[0]));
    if (expr.name == "-_") return negate_node(span, std::move(args[0]));
    if (expr.name == "_?_:_") return conditional(span, std::move(args));
    if (expr.name == "_[_]" || expr.name == "_[?_]")
      return index_node(span, std::move(args[0]), std::move(args[1]),
                        access(expr.name == "_[?_]", false));
    return logic_node(span, expr.name == "_&&_", std::move(args));
  }

  NodePtr conditional(Span span, Nodes args) const {
    const Value* condition = args[0]->constant();
    if (condition != nullptr && condition->is(Kind::kBool) && language_.options.fold_constants)
      return std::move(args[condition->as_bool() ? 1 : 2]);
    return conditional_node(span, std::move(args[0]), std::move(args[1]), std::move(args[2]));
  }

  NodePtr list(const Expr& expr) {
    Nodes items;
    for (const Expr* arg : expr.args) items.push_back(plan(*arg));
    const bool constant = all_constant(items);
    return folded(list_node(expr.span, std::move(items), expr.optional_items), constant);
  }

  NodePtr map(const Expr& expr) {
    Nodes entries;
    for (const Expr* arg : expr.args) entries.push_back(plan(*arg));
    const bool constant = all_constant(entries);
    return folded(map_node(expr.span, std::move(entries), expr.optional_items), constant);
  }

  NodePtr message(const Expr& expr) {
    std::string name = expr.name;
    if (!expr.checked) {
      for (std::string& each : candidates(language_.options.container, expr.name, expr.absolute)) {
        if (find_message(each) == nullptr) continue;
        name = std::move(each);
        break;
      }
    }
    Nodes values;
    for (const Expr* arg : expr.args) values.push_back(plan(*arg));
    const bool constant = all_constant(values);
    return folded(message_node(expr.span, std::move(name), expr.fields, std::move(values),
                               expr.optional_items),
                  constant);
  }

  NodePtr fold(const Expr& expr) {
    NodePtr range = plan(*expr.target);
    const std::size_t outer = locals_.size();
    Loop loop{expr.fold, slots_++, 0, !expr.var2.empty()};
    locals_.push_back({expr.var1, loop.slot1, nullptr});
    if (loop.two) {
      loop.slot2 = slots_++;
      locals_.push_back({expr.var2, loop.slot2, nullptr});
    }
    NodePtr filter = expr.args[0] == nullptr ? nullptr : plan(*expr.args[0]);
    NodePtr body = plan(*expr.args[1]);
    locals_.resize(outer);
    return fold_node(expr.span, loop, std::move(range), std::move(filter), std::move(body));
  }

  NodePtr bind(const Expr& expr) {
    Nodes values;
    values.push_back(plan(*expr.target));
    const std::size_t slot = slots_++;
    locals_.push_back({expr.var1, slot, values[0].get()});
    NodePtr body = plan(*expr.args[0]);
    locals_.pop_back();
    return let_node(expr.span, slot, std::move(values), std::move(body));
  }

  // Each value may use the earlier ones. The slots of a block are consecutive.
  NodePtr block(const Expr& expr) {
    const std::size_t outer = locals_.size();
    const std::size_t first = slots_;
    slots_ += expr.args.size();
    Nodes values;
    for (std::size_t i = 0; i < expr.args.size(); ++i) {
      values.push_back(plan(*expr.args[i]));
      locals_.push_back({fmt::format("@index{}", i), first + i, values.back().get()});
    }
    NodePtr body = plan(*expr.target);
    locals_.resize(outer);
    return let_node(expr.span, first, std::move(values), std::move(body));
  }

  const Language& language_;
  std::vector<Local> locals_;
  std::size_t slots_ = 0;
};

}  // namespace

void plan(Code& code) {
  Planner planner(*code.language);
  code.root = planner.plan(*code.ast.root);
  code.slots = planner.slots();
}

}  // namespace portico::cel::internal
