// Selects fields and elements, plain and optional.
#include <fmt/format.h>

#include <cmath>

#include "cel/internal/node.h"

namespace portico::cel::internal {
namespace {

// The number as an index; nullopt if it is not whole.
std::optional<std::int64_t> whole(const Value& key) {
  if (key.is(Kind::kInt)) return key.as_int();
  if (key.is(Kind::kUint) && key.as_uint() < (std::uint64_t{1} << 63))
    return static_cast<std::int64_t>(key.as_uint());
  if (key.is(Kind::kDouble) && std::trunc(key.as_double()) == key.as_double() &&
      std::abs(key.as_double()) < 0x1p62)
    return static_cast<std::int64_t>(key.as_double());
  return std::nullopt;
}

// The element of a list or entry of a map; nullopt if there is none.
std::optional<Value> part_of(const Value& value, const Value& key) {
  if (value.is(Kind::kMap)) return value.as_map().find(key);
  if (!value.is(Kind::kList)) return std::nullopt;
  const std::optional<std::int64_t> index = whole(key);
  const List& list = value.as_list();
  if (!index || *index < 0 || static_cast<std::uint64_t>(*index) >= list.size())
    return std::nullopt;
  return list.at(static_cast<std::size_t>(*index));
}

// Whether the value is of a kind that can have such a part.
bool may_have(const Value& value, const Value& key) {
  return value.is(Kind::kMap) || (value.is(Kind::kList) && whole(key));
}

std::string missing(const Value& value, const Value& key) {
  if (value.is(Kind::kMap)) return fmt::format("no such key: {}", key_text(key));
  if (!value.is(Kind::kList))
    return fmt::format("no such overload: type '{}' does not support field selection",
                       value.type_name());
  return whole(key) ? fmt::format("index out of bounds: {}", key_text(key))
                    : fmt::format("no such overload: a list has no element '{}'", key_text(key));
}

class Accessor : public Node {
 public:
  Accessor(Span span, NodePtr operand, Access access)
      : Node(span), operand_(std::move(operand)), access_(access) {}

 protected:
  Value part(const Value& operand, const Value& key) const {
    const bool through = operand.is(Kind::kOptional);
    const Value* value = through ? operand.as_optional() : &operand;
    if (value == nullptr) return absent();
    if (std::optional<Value> found = part_of(*value, key)) {
      if (found->is_error()) return placed(std::move(*found));
      if (access_.test) return Value(true);
      return through || access_.optional ? Value::optional_of(std::move(*found))
                                         : std::move(*found);
    }
    const bool tolerant = through || access_.optional || access_.test;
    if (!tolerant) return fail(missing(*value, key));
    if (access_.strict && !may_have(*value, key))
      return fail(fmt::format("no such key: {}", key_text(key)));
    return absent();
  }

  const Node& operand() const { return *operand_; }

 private:
  Value absent() const { return access_.test ? Value(false) : Value::optional_none(); }

  NodePtr operand_;
  Access access_;
};

class Select final : public Accessor {
 public:
  Select(Span span, NodePtr operand, const std::string& field, Access access)
      : Accessor(span, std::move(operand), access), key_(Value::string(field)) {}

  Value eval(Frame& frame) const override {
    if (!step(frame)) return exhausted(frame);
    Value value = operand().eval(frame);
    if (value.is_error()) return value;
    // A field is never an element of a list.
    if (value.is(Kind::kList)) return part(Value(), key_);
    return part(value, key_);
  }

 private:
  Value key_;
};

class Index final : public Accessor {
 public:
  Index(Span span, NodePtr operand, NodePtr key, Access access)
      : Accessor(span, std::move(operand), access), key_(std::move(key)) {}

  Value eval(Frame& frame) const override {
    if (!step(frame)) return exhausted(frame);
    Value value = operand().eval(frame);
    if (value.is_error()) return value;
    if (const Value* key = key_->constant()) return part(value, *key);
    Value key = key_->eval(frame);
    if (key.is_error()) return key;
    return part(value, key);
  }

 private:
  NodePtr key_;
};

}  // namespace

std::string key_text(const Value& key) {
  if (key.is(Kind::kUint)) return fmt::format("{}", key.as_uint());
  return key.is(Kind::kString) ? std::string(key.text()) : show(key);
}

NodePtr select_node(Span span, NodePtr operand, const std::string& field, Access access) {
  return std::make_unique<Select>(span, std::move(operand), field, access);
}

NodePtr index_node(Span span, NodePtr operand, NodePtr key, Access access) {
  return std::make_unique<Index>(span, std::move(operand), std::move(key), access);
}

}  // namespace portico::cel::internal
