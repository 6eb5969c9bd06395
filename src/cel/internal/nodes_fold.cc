// Comprehensions and local bindings.
#include <fmt/format.h>

#include "cel/internal/containers.h"
#include "cel/internal/node.h"

namespace portico::cel::internal {
namespace {

// Collects the result of a comprehension, element by element.
class Gatherer {
 public:
  explicit Gatherer(Fold kind) : kind_(kind) {
    if (kind == Fold::kTransformMap || kind == Fold::kTransformMapEntry) map_ = make_ref<HashMap>();
  }

  /// Takes the body's value for one element. Returns true if the result is known, so the loop
  /// may stop.
  bool take(const Value& key, const Value& element, Value body) {
    switch (kind_) {
      case Fold::kAll:
        return decide(std::move(body), false);
      case Fold::kExists:
        return decide(std::move(body), true);
      case Fold::kExistsOne:
        if (!is_bool(body)) return true;
        found_ += body.as_bool() ? 1 : 0;
        return false;
      case Fold::kFilter:
        if (!is_bool(body)) return true;
        if (body.as_bool()) items_.push_back(element);
        return false;
      case Fold::kMap:
        return stop_on_error(body) || keep(std::move(body));
      case Fold::kTransformMap:
        return stop_on_error(body) || insert(key, std::move(body));
      default:
        return stop_on_error(body) || merge(body);
    }
  }

  Value result() {
    if (error_) return std::move(*error_);
    switch (kind_) {
      case Fold::kAll:
        return Value(!decided_);
      case Fold::kExists:
        return Value(decided_);
      case Fold::kExistsOne:
        return Value(found_ == 1);
      case Fold::kFilter:
      case Fold::kMap:
        return Value::list(std::move(items_));
      default:
        return Value::map(Ref<const Map>(std::move(map_)));
    }
  }

 private:
  // An error is the result only if no later element decides.
  bool decide(Value body, bool decisive) {
    if (body.is(Kind::kBool)) {
      if (body.as_bool() != decisive) return false;
      decided_ = true;
      error_.reset();
      return true;
    }
    if (!error_) error_ = body.is_error() ? std::move(body) : not_bool(body);
    return false;
  }

  static Value not_bool(const Value& body) {
    return no_such_overload("comprehension predicate", Args(&body, 1));
  }

  bool is_bool(Value& body) {
    if (body.is(Kind::kBool)) return true;
    error_ = body.is_error() ? std::move(body) : not_bool(body);
    return false;
  }

  bool stop_on_error(const Value& body) {
    if (body.is_error()) error_ = body;
    return body.is_error();
  }

  bool keep(Value body) {
    items_.push_back(std::move(body));
    return false;
  }

  bool insert(const Value& key, Value value) {
    if (map_->insert(key, std::move(value))) return false;
    error_ = Value::error(fmt::format("insert failed: key {} already exists", key_text(key)));
    return true;
  }

  bool merge(const Value& entries) {
    if (!entries.is(Kind::kMap)) {
      error_ = no_such_overload("cel.@mapInsert", Args(&entries, 1));
      return true;
    }
    for (const Value& key : entries.as_map().keys())
      if (insert(key, *entries.as_map().find(key))) return true;
    return false;
  }

  Fold kind_;
  bool decided_ = false;
  std::size_t found_ = 0;
  std::vector<Value> items_;
  Ref<HashMap> map_;
  std::optional<Value> error_;
};

class FoldNode final : public Node {
 public:
  FoldNode(Span span, Loop loop, NodePtr range, NodePtr filter, NodePtr body)
      : Node(span),
        loop_(loop),
        range_(std::move(range)),
        filter_(std::move(filter)),
        body_(std::move(body)) {}

  Value eval(Frame& frame) const override {
    if (!step(frame)) return exhausted(frame);
    Value range = range_->eval(frame);
    if (range.is_error()) return range;
    Gatherer gatherer(loop_.kind);
    if (range.is(Kind::kList)) {
      const List& list = range.as_list();
      for (std::size_t i = 0; i < list.size(); ++i)
        if (turn(frame, gatherer, Value(static_cast<std::int64_t>(i)), list.at(i), true)) break;
    } else if (range.is(Kind::kMap)) {
      const Map& map = range.as_map();
      if (!frame.budget.spend_for(map.size())) return exhausted(frame);
      for (Value& key : map.keys()) {
        Value value = loop_.two ? map.find(key).value_or(Value()) : Value();
        if (turn(frame, gatherer, std::move(key), std::move(value), false)) break;
      }
    } else {
      return no_overload("comprehension range", Args(&range, 1));
    }
    if (frame.budget.over()) return exhausted(frame);
    return placed(gatherer.result());
  }

 private:
  // Returns true if the loop may stop.
  bool turn(Frame& frame, Gatherer& gatherer, Value key, Value value, bool of_list) const {
    if (!step(frame)) return true;
    const bool single_value = of_list && !loop_.two;
    frame.slots[loop_.slot1] = {single_value ? value : key, true};
    if (loop_.two) frame.slots[loop_.slot2] = {value, true};
    if (filter_ != nullptr) {
      Value wanted = filter_->eval(frame);
      if (!wanted.is(Kind::kBool)) {
        return gatherer.take(
            key, value,
            wanted.is_error() ? std::move(wanted) : no_overload("_?_:_", Args(&wanted, 1)));
      }
      if (!wanted.as_bool()) return false;
    }
    const Value& element = of_list ? value : key;
    return gatherer.take(key, element, body_->eval(frame));
  }

  Loop loop_;
  NodePtr range_;
  NodePtr filter_;
  NodePtr body_;
};

// optMap and optFlatMap: at most one iteration.
class OptionalFold final : public Node {
 public:
  OptionalFold(Span span, Loop loop, NodePtr range, NodePtr body)
      : Node(span), loop_(loop), range_(std::move(range)), body_(std::move(body)) {}

  Value eval(Frame& frame) const override {
    if (!step(frame)) return exhausted(frame);
    Value range = range_->eval(frame);
    if (range.is_error()) return range;
    if (!range.is(Kind::kOptional)) return no_overload("hasValue", Args(&range, 1));
    const Value* held = range.as_optional();
    if (held == nullptr) return range;
    frame.slots[loop_.slot1] = {*held, true};
    Value body = body_->eval(frame);
    if (body.is_error() || loop_.kind == Fold::kOptFlatMap) return body;
    return Value::optional_of(std::move(body));
  }

 private:
  Loop loop_;
  NodePtr range_;
  NodePtr body_;
};

class Lazy final : public Node {
 public:
  Lazy(Span span, std::size_t slot, const Node& value) : Node(span), slot_(slot), value_(value) {}
  Value eval(Frame& frame) const override {
    Slot& slot = frame.slots[slot_];
    if (!slot.ready) {
      Value value = value_.eval(frame);
      slot.value = std::move(value);
      slot.ready = true;
    }
    return slot.value;
  }

 private:
  std::size_t slot_;
  const Node& value_;
};

class Let final : public Node {
 public:
  Let(Span span, std::size_t first_slot, Nodes values, NodePtr body)
      : Node(span), first_(first_slot), values_(std::move(values)), body_(std::move(body)) {}
  Value eval(Frame& frame) const override {
    if (!step(frame)) return exhausted(frame);
    for (std::size_t i = 0; i < values_.size(); ++i) frame.slots[first_ + i] = {Value(), false};
    return body_->eval(frame);
  }

 private:
  std::size_t first_;
  Nodes values_;
  NodePtr body_;
};

}  // namespace

NodePtr fold_node(Span span, Loop loop, NodePtr range, NodePtr filter, NodePtr body) {
  if (loop.kind == Fold::kOptMap || loop.kind == Fold::kOptFlatMap)
    return std::make_unique<OptionalFold>(span, loop, std::move(range), std::move(body));
  return std::make_unique<FoldNode>(span, loop, std::move(range), std::move(filter),
                                    std::move(body));
}

NodePtr let_node(Span span, std::size_t first_slot, Nodes values, NodePtr body) {
  return std::make_unique<Let>(span, first_slot, std::move(values), std::move(body));
}

NodePtr lazy_node(Span span, std::size_t slot, const Node& value) {
  return std::make_unique<Lazy>(span, slot, value);
}

}  // namespace portico::cel::internal
