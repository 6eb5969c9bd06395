// Variables.
#include <fmt/format.h>

#include "cel/internal/node.h"

namespace portico::cel::internal {
namespace {

class Local final : public Node {
 public:
  Local(Span span, std::size_t slot) : Node(span), slot_(slot) {}
  Value eval(Frame& frame) const override { return frame.slots[slot_].value; }

 private:
  std::size_t slot_;
};

class Variable final : public Node {
 public:
  Variable(Span span, std::string name) : Node(span), name_(std::move(name)) {}
  Value eval(Frame& frame) const override {
    if (!step(frame)) return exhausted(frame);
    std::optional<Value> value = frame.variables.find(name_);
    if (!value) return fail(fmt::format("no such attribute: {}", name_));
    return value->is_error() ? placed(std::move(*value)) : std::move(*value);
  }

 private:
  std::string name_;
};

class Name final : public Node {
 public:
  Name(Span span, std::vector<Attempt> attempts, std::optional<Value> fallback)
      : Node(span), attempts_(std::move(attempts)), fallback_(std::move(fallback)) {}

  Value eval(Frame& frame) const override {
    for (const Attempt& attempt : attempts_) {
      if (!step(frame)) return exhausted(frame);
      if (std::optional<Value> value = frame.variables.find(attempt.name))
        return follow(std::move(*value), attempt.fields);
    }
    if (fallback_) return *fallback_;
    return fail(fmt::format("no such attribute: {}", attempts_.back().name));
  }

 private:
  Value follow(Value value, const std::vector<std::string>& fields) const {
    for (const std::string& field : fields) {
      if (value.is_error()) return placed(std::move(value));
      if (!value.is(Kind::kMap))
        return fail(fmt::format("no such overload: type '{}' does not support field selection",
                                value.type_name()));
      std::optional<Value> next = value.as_map().find(Value::string(field));
      if (!next) return fail(fmt::format("no such key: {}", field));
      value = std::move(*next);
    }
    return value;
  }

  std::vector<Attempt> attempts_;
  std::optional<Value> fallback_;
};

}  // namespace

NodePtr local_node(Span span, std::size_t slot) { return std::make_unique<Local>(span, slot); }

NodePtr variable_node(Span span, std::string name) {
  return std::make_unique<Variable>(span, std::move(name));
}

NodePtr name_node(Span span, std::vector<Attempt> attempts, std::optional<Value> fallback) {
  return std::make_unique<Name>(span, std::move(attempts), std::move(fallback));
}

}  // namespace portico::cel::internal
