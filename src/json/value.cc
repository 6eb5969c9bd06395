#include "json/value.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>

namespace portico::json {
namespace {

// The tag says what the first 15 bytes hold; kInline + n is a string of n bytes.
constexpr std::uint8_t kNullTag = 0, kBoolTag = 1, kIntTag = 2, kUintTag = 3, kDoubleTag = 4,
                       kTextTag = 5, kArrayTag = 6, kObjectTag = 7, kInline = 16;
constexpr std::size_t kInlineMax = 15;

const Value kNull{};

struct Counted {
  mutable std::atomic<std::uint32_t> count{1};
};

}  // namespace

struct Value::Text : Counted {
  std::string text;
};
struct Value::Array : Counted {
  std::vector<Value> items;
};
struct Value::Object : Counted {
  std::vector<Member> members;
};

Value::Value(bool value) noexcept : tag_(kBoolTag) { bool_ = value; }
Value::Value(std::int64_t value) noexcept : tag_(kIntTag) { int_ = value; }
Value::Value(std::uint64_t value) noexcept {
  if (value <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
    int_ = static_cast<std::int64_t>(value);
    tag_ = kIntTag;
  } else {
    uint_ = value;
    tag_ = kUintTag;
  }
}
Value::Value(double value) noexcept : tag_(kDoubleTag) { double_ = value; }

Value::Value(std::string_view value) {
  if (value.size() <= kInlineMax) {
    // inline_ and tail_ are neighbours in a standard-layout class.
    if (!value.empty()) std::memcpy(reinterpret_cast<char*>(this), value.data(), value.size());
    tag_ = static_cast<std::uint8_t>(kInline + value.size());
  } else {
    text_ = new Text{{}, std::string(value)};
    tag_ = kTextTag;
  }
}

Value Value::array(std::vector<Value> items) {
  Value out;
  out.array_ = new Array{{}, std::move(items)};
  out.tag_ = kArrayTag;
  return out;
}

Value Value::object() { return object(std::vector<Member>()); }

Value Value::object(std::vector<Member> members) {
  const auto less = [](const Member& a, const Member& b) { return a.name() < b.name(); };
  if (!std::is_sorted(members.begin(), members.end(), less))
    std::stable_sort(members.begin(), members.end(), less);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (i + 1 < members.size() && members[i].name() == members[i + 1].name()) continue;
    if (kept != i) members[kept] = std::move(members[i]);
    ++kept;
  }
  members.resize(kept);
  Value out;
  out.object_ = new Object{{}, std::move(members)};
  out.tag_ = kObjectTag;
  return out;
}

void Value::retain() const noexcept {
  switch (tag_) {
    case kTextTag:
      text_->count.fetch_add(1, std::memory_order_relaxed);
      break;
    case kArrayTag:
      array_->count.fetch_add(1, std::memory_order_relaxed);
      break;
    case kObjectTag:
      object_->count.fetch_add(1, std::memory_order_relaxed);
      break;
    default:
      break;
  }
}

void Value::release() noexcept {
  const auto last = [](const Counted* shared) {
    return shared->count.fetch_sub(1, std::memory_order_acq_rel) == 1;
  };
  switch (tag_) {
    case kTextTag:
      if (last(text_)) delete text_;
      break;
    case kArrayTag:
      if (last(array_)) delete array_;
      break;
    case kObjectTag:
      if (last(object_)) delete object_;
      break;
    default:
      break;
  }
}

// A Value is moved as the 16 bytes that it is; retain and release see to what they point to.
// NOLINTBEGIN(bugprone-undefined-memory-manipulation)
Value::Value(const Value& other) noexcept {
  std::memcpy(static_cast<void*>(this), &other, sizeof(Value));
  retain();
}

Value::Value(Value&& other) noexcept {
  std::memcpy(static_cast<void*>(this), &other, sizeof(Value));
  other.tag_ = kNullTag;
}

// What is released may own `other`: the copy keeps it.
Value& Value::operator=(const Value& other) noexcept { return *this = Value(other); }

Value& Value::operator=(Value&& other) noexcept {
  if (this != &other) {
    // What is released may own `other`: take it first.
    char taken[sizeof(Value)];
    std::memcpy(taken, &other, sizeof(Value));
    other.tag_ = kNullTag;
    release();
    std::memcpy(static_cast<void*>(this), taken, sizeof(Value));
  }
  return *this;
}
// NOLINTEND(bugprone-undefined-memory-manipulation)

Value::~Value() { release(); }

Value::Type Value::type() const noexcept {
  switch (tag_) {
    case kNullTag:
      return Type::kNull;
    case kBoolTag:
      return Type::kBool;
    case kIntTag:
      return Type::kInt;
    case kUintTag:
      return Type::kUint;
    case kDoubleTag:
      return Type::kDouble;
    case kArrayTag:
      return Type::kArray;
    case kObjectTag:
      return Type::kObject;
    default:
      return Type::kString;
  }
}

bool Value::is_number() const noexcept {
  return tag_ == kIntTag || tag_ == kUintTag || tag_ == kDoubleTag;
}

bool Value::as_bool() const noexcept { return tag_ == kBoolTag && bool_; }

std::int64_t Value::as_int() const noexcept {
  if (tag_ == kIntTag) return int_;
  if (tag_ == kDoubleTag && double_ >= -9223372036854775808.0 && double_ < 9223372036854775808.0 &&
      std::trunc(double_) == double_)
    return static_cast<std::int64_t>(double_);
  return 0;
}

std::uint64_t Value::as_uint() const noexcept {
  if (tag_ == kUintTag) return uint_;
  if (tag_ == kIntTag && int_ >= 0) return static_cast<std::uint64_t>(int_);
  return 0;
}

double Value::as_double() const noexcept {
  switch (tag_) {
    case kIntTag:
      return static_cast<double>(int_);
    case kUintTag:
      return static_cast<double>(uint_);
    case kDoubleTag:
      return double_;
    default:
      return 0;
  }
}

std::string_view Value::as_string() const& noexcept {
  if (tag_ >= kInline)
    return {reinterpret_cast<const char*>(this), static_cast<std::size_t>(tag_ - kInline)};
  if (tag_ == kTextTag) return text_->text;
  return {};
}

std::size_t Value::size() const noexcept {
  if (tag_ == kArrayTag) return array_->items.size();
  if (tag_ == kObjectTag) return object_->members.size();
  return 0;
}

std::span<const Value> Value::items() const noexcept {
  if (tag_ != kArrayTag) return {};
  return array_->items;
}

std::span<const Member> Value::members() const noexcept {
  if (tag_ != kObjectTag) return {};
  return object_->members;
}

const Value* Value::find(std::string_view key) const noexcept {
  const auto all = members();
  const auto at = std::lower_bound(all.begin(), all.end(), key,
                                   [](const Member& m, auto k) { return m.name() < k; });
  return at != all.end() && at->name() == key ? &at->value : nullptr;
}

const Value& Value::operator[](std::string_view key) const noexcept {
  const Value* found = find(key);
  return found != nullptr ? *found : kNull;
}

const Value& Value::operator[](std::size_t index) const noexcept {
  const auto all = items();
  return index < all.size() ? all[index] : kNull;
}

Value Value::with(std::string_view key, Value value) const {
  const auto all = members();
  const auto at = std::lower_bound(all.begin(), all.end(), key,
                                   [](const Member& m, auto k) { return m.name() < k; });
  const bool replaces = at != all.end() && at->name() == key;
  std::vector<Member> changed;
  changed.reserve(all.size() + (replaces ? 0 : 1));
  changed.insert(changed.end(), all.begin(), at);
  changed.push_back({replaces ? at->key : Value(key), std::move(value)});
  changed.insert(changed.end(), at + (replaces ? 1 : 0), all.end());
  Value out;
  out.object_ = new Object{{}, std::move(changed)};
  out.tag_ = kObjectTag;
  return out;
}

Value Value::without(std::string_view key) const {
  if (find(key) == nullptr) return *this;
  std::vector<Member> kept;
  kept.reserve(size() - 1);
  for (const Member& member : members())
    if (member.name() != key) kept.push_back(member);
  return object(std::move(kept));
}

Value Value::with_at(std::span<const std::string_view> path, Value value) const {
  if (path.empty()) return value;
  return with(path[0], (*this)[path[0]].with_at(path.subspan(1), std::move(value)));
}

Value Value::without_at(std::initializer_list<std::string_view> path) const {
  const std::span<const std::string_view> all(path.begin(), path.size());
  if (all.empty()) return *this;
  const auto remove = [](const auto& self, const Value& from,
                         std::span<const std::string_view> rest) -> Value {
    if (rest.size() == 1) return from.without(rest[0]);
    const Value* child = from.find(rest[0]);
    if (child == nullptr) return from;
    return from.with(rest[0], self(self, *child, rest.subspan(1)));
  };
  return remove(remove, *this, all);
}

Value Value::with_item(std::size_t index, Value value) const {
  std::vector<Value> changed(items().begin(), items().end());
  changed.at(index) = std::move(value);
  return array(std::move(changed));
}

Value Value::with_appended(Value value) const {
  std::vector<Value> changed;
  changed.reserve(size() + 1);
  changed.assign(items().begin(), items().end());
  changed.push_back(std::move(value));
  return array(std::move(changed));
}

bool Value::same_as(const Value& other) const noexcept {
  if (tag_ != other.tag_) return false;
  switch (tag_) {
    case kTextTag:
      return text_ == other.text_;
    case kArrayTag:
      return array_ == other.array_;
    case kObjectTag:
      return object_ == other.object_;
    default:
      return *this == other;
  }
}

bool operator==(const Value& a, const Value& b) noexcept {
  if (a.tag_ != b.tag_) return false;
  switch (a.tag_) {
    case kNullTag:
      return true;
    case kBoolTag:
      return a.bool_ == b.bool_;
    case kIntTag:
      return a.int_ == b.int_;
    case kUintTag:
      return a.uint_ == b.uint_;
    case kDoubleTag:
      return a.double_ == b.double_;
    case kArrayTag:
      return a.array_ == b.array_ || a.array_->items == b.array_->items;
    case kObjectTag:
      return a.object_ == b.object_ || a.object_->members == b.object_->members;
    default:
      return a.as_string() == b.as_string();
  }
}

}  // namespace portico::json
