// Literals of lists, maps and messages.
#include <fmt/format.h>

#include "cel/internal/containers.h"
#include "cel/internal/node.h"
#include "cel/internal/wellknown.h"

namespace portico::cel::internal {
namespace {

// The value of an item; nullopt if an optional item is empty.
std::optional<Value> item(const Node& node, bool optional, Frame& frame) {
  Value value = node.eval(frame);
  if (value.is_error() || !optional) return value;
  if (!value.is(Kind::kOptional))
    return Value::error(
        fmt::format("cannot initialize optional entry from non-optional value of type {}",
                    value.type_name()),
        node.span());
  const Value* held = value.as_optional();
  if (held == nullptr) return std::nullopt;
  return Value(*held);
}

class ListLiteral final : public Node {
 public:
  ListLiteral(Span span, Nodes items, std::vector<bool> optional)
      : Node(span), items_(std::move(items)), optional_(std::move(optional)) {}

  Value eval(Frame& frame) const override {
    if (!frame.budget.spend(1 + items_.size())) return exhausted(frame);
    std::vector<Value> values;
    values.reserve(items_.size());
    for (std::size_t i = 0; i < items_.size(); ++i) {
      std::optional<Value> value = item(*items_[i], optional_[i], frame);
      if (!value) continue;
      if (value->is_error()) return std::move(*value);
      values.push_back(std::move(*value));
    }
    return Value::list(std::move(values));
  }

 private:
  Nodes items_;
  std::vector<bool> optional_;
};

class MapLiteral final : public Node {
 public:
  MapLiteral(Span span, Nodes entries, std::vector<bool> optional)
      : Node(span), entries_(std::move(entries)), optional_(std::move(optional)) {}

  Value eval(Frame& frame) const override {
    if (!frame.budget.spend(1 + entries_.size())) return exhausted(frame);
    auto map = make_ref<HashMap>();
    for (std::size_t i = 0; i < optional_.size(); ++i) {
      Value key = entries_[2 * i]->eval(frame);
      if (key.is_error()) return key;
      const bool simple =
          key.is(Kind::kInt) || key.is(Kind::kUint) || key.is(Kind::kBool) || key.is(Kind::kString);
      if (!simple) return fail(fmt::format("unsupported key type: {}", key.type_name()));
      std::optional<Value> value = item(*entries_[2 * i + 1], optional_[i], frame);
      if (!value) continue;
      if (value->is_error()) return std::move(*value);
      if (!map->insert(key, std::move(*value)))
        return fail(fmt::format("Failed with repeated key: {}", key_text(key)));
    }
    return Value::map(Ref<const Map>(std::move(map)));
  }

 private:
  Nodes entries_;
  std::vector<bool> optional_;
};

class MessageLiteral final : public Node {
 public:
  MessageLiteral(Span span, std::string name, std::vector<std::string> fields, Nodes values,
                 std::vector<bool> optional)
      : Node(span),
        name_(std::move(name)),
        fields_(std::move(fields)),
        values_(std::move(values)),
        optional_(std::move(optional)) {}

  Value eval(Frame& frame) const override {
    if (!frame.budget.spend(1 + values_.size())) return exhausted(frame);
    const MessageType* message = find_message(name_);
    if (message == nullptr) return fail(fmt::format("unknown type: {}", name_));
    std::vector<FieldValue> given;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      std::optional<Value> value = item(*values_[i], optional_[i], frame);
      if (!value) continue;
      if (value->is_error()) return std::move(*value);
      given.push_back({fields_[i], std::move(*value)});
    }
    return placed(make_message(*message, given));
  }

 private:
  std::string name_;
  std::vector<std::string> fields_;
  Nodes values_;
  std::vector<bool> optional_;
};

}  // namespace

NodePtr list_node(Span span, Nodes items, std::vector<bool> optional) {
  return std::make_unique<ListLiteral>(span, std::move(items), std::move(optional));
}

NodePtr map_node(Span span, Nodes keys_and_values, std::vector<bool> optional) {
  return std::make_unique<MapLiteral>(span, std::move(keys_and_values), std::move(optional));
}

NodePtr message_node(Span span, std::string name, std::vector<std::string> fields, Nodes values,
                     std::vector<bool> optional) {
  return std::make_unique<MessageLiteral>(span, std::move(name), std::move(fields),
                                          std::move(values), std::move(optional));
}

}  // namespace portico::cel::internal
