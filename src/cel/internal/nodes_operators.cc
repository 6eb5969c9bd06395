// Logic, arithmetic and comparison.
#include <fmt/format.h>

#include "cel/internal/arithmetic.h"
#include "cel/internal/containers.h"
#include "cel/internal/node.h"

namespace portico::cel::internal {
namespace {

// One deciding operand (false for &&, true for ||) takes precedence over errors in the others,
// whatever its position.
class Logic final : public Node {
 public:
  Logic(Span span, bool is_and, Nodes operands)
      : Node(span), decides_(!is_and), operands_(std::move(operands)) {}

  Value eval(Frame& frame) const override {
    if (!step(frame)) return exhausted(frame);
    std::optional<Value> error;
    for (const NodePtr& operand : operands_) {
      Value value = operand->eval(frame);
      if (value.is(Kind::kBool)) {
        if (value.as_bool() == decides_) return value;
      } else if (!error) {
        error = value.is_error() ? std::move(value)
                                 : no_overload(decides_ ? "_||_" : "_&&_", Args(&value, 1));
      }
    }
    return error ? std::move(*error) : Value(!decides_);
  }

 private:
  bool decides_;
  Nodes operands_;
};

class Not final : public Node {
 public:
  Not(Span span, NodePtr operand) : Node(span), operand_(std::move(operand)) {}
  Value eval(Frame& frame) const override {
    if (!step(frame)) return exhausted(frame);
    Value value = operand_->eval(frame);
    if (value.is(Kind::kBool)) return Value(!value.as_bool());
    return value.is_error() ? value : no_overload("!_", Args(&value, 1));
  }

 private:
  NodePtr operand_;
};

class Negate final : public Node {
 public:
  Negate(Span span, NodePtr operand) : Node(span), operand_(std::move(operand)) {}
  Value eval(Frame& frame) const override {
    if (!step(frame)) return exhausted(frame);
    const Value value = operand_->eval(frame);
    return value.is_error() ? value : placed(negate(value));
  }

 private:
  NodePtr operand_;
};

class Conditional final : public Node {
 public:
  Conditional(Span span, NodePtr condition, NodePtr yes, NodePtr no)
      : Node(span), condition_(std::move(condition)), yes_(std::move(yes)), no_(std::move(no)) {}
  Value eval(Frame& frame) const override {
    if (!step(frame)) return exhausted(frame);
    Value value = condition_->eval(frame);
    if (value.is(Kind::kBool)) return value.as_bool() ? yes_->eval(frame) : no_->eval(frame);
    return value.is_error() ? value : no_overload("_?_:_", Args(&value, 1));
  }

 private:
  NodePtr condition_;
  NodePtr yes_;
  NodePtr no_;
};

class Binary final : public Node {
 public:
  Binary(Span span, Operator op, NodePtr left, NodePtr right)
      : Node(span), op_(op), left_(std::move(left)), right_(std::move(right)) {}
  Value eval(Frame& frame) const override {
    if (!step(frame)) return exhausted(frame);
    Value left = left_->eval(frame);
    if (left.is_error()) return left;
    Value right = right_->eval(frame);
    if (right.is_error()) return right;
    Value out = apply_operator(op_, left, right, frame.budget);
    return out.is_error() ? placed(std::move(out)) : out;
  }

 private:
  Operator op_;
  NodePtr left_;
  NodePtr right_;
};

// x in [constants]: a single hash lookup.
class InConstants final : public Node {
 public:
  InConstants(Span span, NodePtr left, const List& list) : Node(span), left_(std::move(left)) {
    for (std::size_t i = 0; i < list.size(); ++i) set_.insert(list.at(i));
  }
  Value eval(Frame& frame) const override {
    if (!step(frame)) return exhausted(frame);
    Value value = left_->eval(frame);
    if (value.is_error()) return value;
    return Value(set_.contains(value));
  }

 private:
  NodePtr left_;
  ValueSet set_;
};

class OptionalOr final : public Node {
 public:
  OptionalOr(Span span, NodePtr left, NodePtr right, bool value)
      : Node(span), left_(std::move(left)), right_(std::move(right)), value_(value) {}
  Value eval(Frame& frame) const override {
    if (!step(frame)) return exhausted(frame);
    Value left = left_->eval(frame);
    if (left.is_error()) return left;
    if (!left.is(Kind::kOptional)) return no_overload(value_ ? "orValue" : "or", Args(&left, 1));
    if (const Value* held = left.as_optional()) return value_ ? Value(*held) : left;
    Value right = right_->eval(frame);
    if (!value_ && !right.is(Kind::kOptional) && !right.is_error())
      return no_overload("or", Args(&right, 1));
    return right;
  }

 private:
  NodePtr left_;
  NodePtr right_;
  bool value_;
};

}  // namespace

NodePtr logic_node(Span span, bool is_and, Nodes operands) {
  return std::make_unique<Logic>(span, is_and, std::move(operands));
}

NodePtr not_node(Span span, NodePtr operand) {
  return std::make_unique<Not>(span, std::move(operand));
}

NodePtr negate_node(Span span, NodePtr operand) {
  return std::make_unique<Negate>(span, std::move(operand));
}

NodePtr conditional_node(Span span, NodePtr condition, NodePtr yes, NodePtr no) {
  return std::make_unique<Conditional>(span, std::move(condition), std::move(yes), std::move(no));
}

NodePtr binary_node(Span span, Operator op, NodePtr left, NodePtr right) {
  if (op == Operator::kIn)
    if (const Value* list = right->constant(); list != nullptr && list->is(Kind::kList))
      return std::make_unique<InConstants>(span, std::move(left), list->as_list());
  return std::make_unique<Binary>(span, op, std::move(left), std::move(right));
}

NodePtr optional_or_node(Span span, NodePtr left, NodePtr right, bool value) {
  return std::make_unique<OptionalOr>(span, std::move(left), std::move(right), value);
}

}  // namespace portico::cel::internal
