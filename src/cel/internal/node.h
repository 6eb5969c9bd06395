// The compiled form: a tree of nodes that evaluate themselves.
#pragma once

#include <memory>
#include <vector>

#include "cel/activation.h"
#include "cel/library.h"
#include "cel/value.h"

namespace portico::cel::internal {

/// A local variable of one evaluation. `ready`: whether a lazy variable has been computed.
struct Slot {
  Value value;
  bool ready = false;
};

/// The state of one evaluation.
struct Frame {
  const Activation& variables;
  Budget& budget;
  Slot* slots;
};

class Node {
 public:
  explicit Node(Span span) : span_(span) {}
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;
  virtual ~Node() = default;

  /// An error value carries the span of the node where it occurred.
  virtual Value eval(Frame& frame) const = 0;
  /// The value, if it is known without evaluation.
  virtual const Value* constant() const { return nullptr; }

  Span span() const { return span_; }

 protected:
  Value fail(std::string message) const { return Value::error(std::move(message), span_); }
  Value no_overload(std::string_view function, Args args) const;
  /// Sets this node's span in an error that has none.
  Value placed(Value value) const;
  /// Charges one evaluation step.
  bool step(Frame& frame) const { return frame.budget.spend(1); }
  Value exhausted(Frame& frame) const { return placed(frame.budget.exhausted()); }

 private:
  Span span_;
};

using NodePtr = std::unique_ptr<const Node>;
using Nodes = std::vector<NodePtr>;

class Constant final : public Node {
 public:
  Constant(Span span, Value value) : Node(span), value_(std::move(value)) {}
  Value eval(Frame&) const override { return value_; }
  const Value* constant() const override { return &value_; }

 private:
  Value value_;
};

enum class Operator : std::uint8_t {
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kModulo,
  kEqual,
  kNotEqual,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kIn,
};

/// A map key or other value for a message: strings without quotes, uints without the u.
std::string key_text(const Value& key);

// nodes_names.cc
struct Attempt {
  std::string name;                 // of a variable
  std::vector<std::string> fields;  // fields selected from it
};
NodePtr local_node(Span span, std::size_t slot);
NodePtr variable_node(Span span, std::string name);
/// For unchecked expressions: the first attempt whose variable exists, else the fallback (a type),
/// else an error.
NodePtr name_node(Span span, std::vector<Attempt> attempts, std::optional<Value> fallback);

// nodes_select.cc
struct Access {
  bool optional = false;  // .?x and [?x]
  bool test = false;      // has()
  bool strict = false;    // a missing or impossible step of an optional access is an error
};
NodePtr select_node(Span span, NodePtr operand, const std::string& field, Access access);
NodePtr index_node(Span span, NodePtr operand, NodePtr key, Access access);

// nodes_operators.cc
NodePtr logic_node(Span span, bool is_and, Nodes operands);
NodePtr not_node(Span span, NodePtr operand);
NodePtr negate_node(Span span, NodePtr operand);
NodePtr conditional_node(Span span, NodePtr condition, NodePtr yes, NodePtr no);
NodePtr binary_node(Span span, Operator op, NodePtr left, NodePtr right);
/// a.or(b) and a.orValue(b): b is evaluated only if a is empty.
NodePtr optional_or_node(Span span, NodePtr left, NodePtr right, bool value);

// nodes_literals.cc
NodePtr list_node(Span span, Nodes items, std::vector<bool> optional);
NodePtr map_node(Span span, Nodes keys_and_values, std::vector<bool> optional);
NodePtr message_node(Span span, std::string name, std::vector<std::string> fields, Nodes values,
                     std::vector<bool> optional);

// nodes_call.cc
/// `overloads` are the candidates; they must outlive the node.
NodePtr call_node(Span span, const Function& function, std::vector<const Overload*> overloads,
                  Nodes args);

// nodes_fold.cc
struct Loop {
  Fold kind = Fold::kAll;
  std::size_t slot1 = 0;
  std::size_t slot2 = 0;
  bool two = false;
};
NodePtr fold_node(Span span, Loop loop, NodePtr range, NodePtr filter, NodePtr body);
/// Binds slots from `first_slot` on; each is computed on first use.
NodePtr let_node(Span span, std::size_t first_slot, Nodes values, NodePtr body);
NodePtr lazy_node(Span span, std::size_t slot, const Node& value);

}  // namespace portico::cel::internal
