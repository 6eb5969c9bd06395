#include "cel/value.h"

#include "cel/internal/containers.h"

namespace portico::cel {
namespace {

// A text too long to be stored inline: the bytes follow the object.
class LongText final : public Shared {
 public:
  static const LongText* make(std::string_view a, std::string_view b) {
    void* memory = ::operator new(sizeof(LongText) + a.size() + b.size());
    auto* text = new (memory) LongText(a.size() + b.size());
    char* bytes = reinterpret_cast<char*>(text + 1);
    std::memcpy(bytes, a.data(), a.size());
    if (!b.empty()) std::memcpy(bytes + a.size(), b.data(), b.size());
    return text;
  }
  std::string_view view() const { return {reinterpret_cast<const char*>(this + 1), size_}; }
  static void operator delete(void* memory) { ::operator delete(memory); }

 private:
  explicit LongText(std::size_t size) : size_(size) {}
  static void* operator new(std::size_t, void* place) { return place; }
  std::size_t size_;
};

class Held final : public Shared {
 public:
  explicit Held(Value held) : value(std::move(held)) {}
  const Value value;
};

class Failure final : public Shared {
 public:
  Failure(std::string text, Span where) : message(std::move(text)), span(where) {}
  const std::string message;
  const Span span;
};

}  // namespace

Value Value::text_value(Kind kind, std::string_view a, std::string_view b) {
  const std::size_t size = a.size() + b.size();
  Value out;
  out.kind_ = kind;
  if (size > kInline) {
    out.size_ = kSharedMark;
    out.put<const Shared*>(LongText::make(a, b));
    return out;
  }
  out.size_ = static_cast<std::uint8_t>(size);
  if (!a.empty()) std::memcpy(out.raw_, a.data(), a.size());
  if (!b.empty()) std::memcpy(out.raw_ + a.size(), b.data(), b.size());
  return out;
}

Value Value::timestamp(Timestamp time) noexcept {
  Value out;
  out.kind_ = Kind::kTimestamp;
  out.put(time);
  return out;
}

Value Value::duration(std::int64_t nanoseconds) noexcept {
  Value out(nanoseconds);
  out.kind_ = Kind::kDuration;
  return out;
}

Value Value::list(std::vector<Value> items) {
  return list(Ref<const List>(make_ref<internal::VectorList>(std::move(items))));
}

Value Value::map(std::vector<std::pair<Value, Value>> entries) {
  auto map_ref = make_ref<internal::HashMap>();
  for (auto& entry : entries) map_ref->insert(std::move(entry.first), std::move(entry.second));
  return map(Ref<const Map>(std::move(map_ref)));
}

Value Value::optional_of(Value value) {
  return Value(Kind::kOptional, make_ref<Held>(std::move(value)).take());
}

Value Value::error(std::string message) { return error(std::move(message), Span{}); }

Value Value::error(std::string message, Span span) {
  return Value(Kind::kError, make_ref<Failure>(std::move(message), span).take());
}

std::string_view Value::long_text() const noexcept {
  return static_cast<const LongText*>(shared())->view();
}

const Value* Value::as_optional() const noexcept {
  return size_ == kSharedMark ? &static_cast<const Held*>(shared())->value : nullptr;
}

const std::string& Value::error_message() const noexcept {
  return static_cast<const Failure*>(shared())->message;
}

Span Value::error_span() const noexcept { return static_cast<const Failure*>(shared())->span; }

std::string_view Value::type_name() const noexcept {
  switch (kind_) {
    case Kind::kNull:
      return "null_type";
    case Kind::kBool:
      return "bool";
    case Kind::kInt:
      return "int";
    case Kind::kUint:
      return "uint";
    case Kind::kDouble:
      return "double";
    case Kind::kString:
      return "string";
    case Kind::kBytes:
      return "bytes";
    case Kind::kType:
      return "type";
    case Kind::kTimestamp:
      return "google.protobuf.Timestamp";
    case Kind::kDuration:
      return "google.protobuf.Duration";
    case Kind::kList:
      return "list";
    case Kind::kMap:
      return "map";
    case Kind::kOptional:
      return "optional_type";
    case Kind::kOpaque:
      return as_opaque().type_name();
    case Kind::kError:
      return "error";
  }
  return "error";
}

}  // namespace portico::cel
