// Function calls.
#include <fmt/format.h>

#include <array>

#include "cel/internal/arithmetic.h"
#include "cel/internal/node.h"

namespace portico::cel {

Value no_such_overload(std::string_view function, Args args) {
  std::string types;
  for (const Value& arg : args) {
    if (!types.empty()) types += ", ";
    types += arg.type_name();
  }
  return Value::error(fmt::format("no such overload: {}({})", function, types));
}

Value Budget::exhausted() const {
  return Value::error(
      fmt::format("operation cancelled: actual cost limit exceeded ({} is allowed)", limit_));
}

namespace internal {
namespace {

bool admits(const Type& param, const Value& value) {
  switch (param.kind()) {
    case TypeKind::kNull:
      return value.is(Kind::kNull);
    case TypeKind::kBool:
      return value.is(Kind::kBool);
    case TypeKind::kInt:
      return value.is(Kind::kInt);
    case TypeKind::kUint:
      return value.is(Kind::kUint);
    case TypeKind::kDouble:
      return value.is(Kind::kDouble);
    case TypeKind::kString:
      return value.is(Kind::kString);
    case TypeKind::kBytes:
      return value.is(Kind::kBytes);
    case TypeKind::kTimestamp:
      return value.is(Kind::kTimestamp);
    case TypeKind::kDuration:
      return value.is(Kind::kDuration);
    case TypeKind::kWrapper:
      return value.is(Kind::kNull) || admits(param.param(0), value);
    case TypeKind::kList:
      return value.is(Kind::kList);
    case TypeKind::kMap:
      return value.is(Kind::kMap);
    case TypeKind::kType:
      return value.is(Kind::kType);
    case TypeKind::kOpaque:
      return value.type_name() == param.name();
    case TypeKind::kMessage:
      return false;
    default:
      return true;
  }
}

class Call final : public Node {
 public:
  Call(Span span, const Function& function, std::vector<const Overload*> overloads, Nodes args)
      : Node(span), function_(function), overloads_(std::move(overloads)), args_(std::move(args)) {
    prepare();
  }

  Value eval(Frame& frame) const override {
    std::array<Value, 3> few;
    std::vector<Value> many;
    if (args_.size() > few.size()) many.resize(args_.size());
    Value* values = args_.size() > few.size() ? many.data() : few.data();
    std::uint64_t cost = 1;
    for (std::size_t i = 0; i < args_.size(); ++i) {
      values[i] = args_[i]->eval(frame);
      if (values[i].is_error()) return std::move(values[i]);
      if (values[i].kind() >= Kind::kString) cost += bulk(values[i]) / 10;
    }
    if (!frame.budget.spend(cost)) return exhausted(frame);
    const Args args(values, args_.size());
    const Implementation* found = dispatch(args);
    Value out =
        found == nullptr ? no_such_overload(function_.name, args) : (*found)(args, frame.budget);
    return out.is_error() ? placed(std::move(out)) : out;
  }

 private:
  static std::size_t bulk(const Value& value) {
    return value.is(Kind::kString) ? value.text().size() : size_of(value);
  }

  const Implementation* dispatch(Args args) const {
    for (const Overload* overload : overloads_) {
      bool fits = true;
      for (std::size_t i = 0; fits && i < args.size(); ++i)
        fits = admits(overload->params[i], args[i]);
      if (!fits) continue;
      if (prepared_) return &prepared_;
      return overload->call ? &overload->call : nullptr;
    }
    return nullptr;
  }

  // Only if a single overload is left: a prepared implementation must not be used for another.
  void prepare() {
    if (overloads_.size() != 1 || !overloads_[0]->prepare) return;
    std::vector<const Value*> constants;
    for (const NodePtr& arg : args_) constants.push_back(arg->constant());
    for (std::size_t i = 0; i < constants.size(); ++i)
      if (constants[i] != nullptr && !admits(overloads_[0]->params[i], *constants[i])) return;
    prepared_ = overloads_[0]->prepare(constants);
  }

  const Function& function_;
  std::vector<const Overload*> overloads_;
  Nodes args_;
  Implementation prepared_;
};

}  // namespace

Value Node::no_overload(std::string_view function, Args args) const {
  return placed(no_such_overload(function, args));
}

Value Node::placed(Value value) const {
  if (!value.is_error() || value.error_span().end != 0) return value;
  return Value::error(value.error_message(), span_);
}

NodePtr call_node(Span span, const Function& function, std::vector<const Overload*> overloads,
                  Nodes args) {
  return std::make_unique<Call>(span, function, std::move(overloads), std::move(args));
}

}  // namespace internal
}  // namespace portico::cel
