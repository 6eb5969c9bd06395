#include "json/value.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <new>

namespace portico::json {
namespace {

// The tag tells what the first 15 bytes hold; kInline + n is a string of n bytes.
constexpr std::uint8_t kNullTag = 0, kBoolTag = 1, kIntTag = 2, kUintTag = 3, kDoubleTag = 4,
                       kTextTag = 5, kArrayTag = 6, kObjectTag = 7, kInline = 16;
constexpr std::size_t kInlineMax = 15;

// Maximum recursion depth for freeing; deeper parts are set aside and freed in a loop.
constexpr int kFreeDepth = 200;

const Value kNull{};

}  // namespace

/// A reference count and a size, followed by that many T's in the same allocation.
template <class T>
struct Value::Run {
  std::atomic<std::uint32_t> count{1};
  std::uint32_t size;

  T* begin() { return reinterpret_cast<T*>(this + 1); }
  T* end() { return begin() + size; }

  /// The caller must construct the T's.
  static Run* make(std::size_t size) {
    if (size > std::numeric_limits<std::uint32_t>::max()) std::abort();  // far beyond any input
    return ::new (::operator new(sizeof(Run) + size * sizeof(T)))
        Run{.size = static_cast<std::uint32_t>(size)};
  }
  static Run* of(std::span<T> items) {
    Run* run = make(items.size());
    std::uninitialized_move(items.begin(), items.end(), run->begin());
    return run;
  }

  void retain() { count.fetch_add(1, std::memory_order_relaxed); }
  bool is_last() { return count.fetch_sub(1, std::memory_order_acq_rel) == 1; }
  void free() {
    std::destroy(begin(), end());
    this->~Run();
    ::operator delete(this);
  }
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
    // inline_ and tail_ are adjacent in a standard-layout class.
    if (!value.empty()) std::memcpy(reinterpret_cast<char*>(this), value.data(), value.size());
    tag_ = static_cast<std::uint8_t>(kInline + value.size());
  } else {
    text_ = Run<char>::make(value.size());
    std::memcpy(text_->begin(), value.data(), value.size());
    tag_ = kTextTag;
  }
}

Value Value::array(std::vector<Value> items) {
  Value out;
  out.array_ = Run<Value>::of(items);
  out.tag_ = kArrayTag;
  return out;
}

Value Value::object() { return object(std::vector<Member>()); }

Value Value::object(std::vector<Member> members) {
  const auto less = [](const Member& a, const Member& b) { return a.name() < b.name(); };
  const auto not_less = [&](const Member& a, const Member& b) { return !less(a, b); };
  std::size_t kept = members.size();
  if (std::adjacent_find(members.begin(), members.end(), not_less) != members.end()) {
    std::stable_sort(members.begin(), members.end(), less);
    kept = 0;
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (i + 1 < members.size() && members[i].name() == members[i + 1].name()) continue;
      if (kept != i) members[kept] = std::move(members[i]);
      ++kept;
    }
  }
  Value out;
  out.object_ = Run<Member>::of(std::span(members.data(), kept));
  out.tag_ = kObjectTag;
  return out;
}

void Value::retain() const noexcept {
  switch (tag_) {
    case kTextTag:
      text_->retain();
      break;
    case kArrayTag:
      array_->retain();
      break;
    default:
      object_->retain();
      break;
  }
}

void Value::release() noexcept {
  std::vector<Value> aside;
  free_tree(0, aside);
  while (!aside.empty()) {
    Value next = std::move(aside.back());
    aside.pop_back();
    next.free_tree(0, aside);
  }
}

// Leaves null behind, so that a container has nothing left to free when it is freed.
void Value::free_tree(int depth, std::vector<Value>& aside) noexcept {
  if (!is_counted()) return;
  if (depth == kFreeDepth) {
    aside.push_back(std::move(*this));
    return;
  }
  switch (std::exchange(tag_, kNullTag)) {
    case kTextTag:
      if (text_->is_last()) text_->free();
      break;
    case kArrayTag:
      if (!array_->is_last()) break;
      for (Value& item : *array_) item.free_tree(depth + 1, aside);
      array_->free();
      break;
    default:
      if (!object_->is_last()) break;
      for (Member& member : *object_) member.value.free_tree(depth + 1, aside);
      object_->free();
      break;
  }
}

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
  if (tag_ == kTextTag) return {text_->begin(), text_->size};
  return {};
}

std::size_t Value::size() const noexcept {
  if (tag_ == kArrayTag) return array_->size;
  if (tag_ == kObjectTag) return object_->size;
  return 0;
}

std::span<const Value> Value::items() const noexcept {
  if (tag_ != kArrayTag) return {};
  return {array_->begin(), array_->size};
}

std::span<const Member> Value::members() const noexcept {
  if (tag_ != kObjectTag) return {};
  return {object_->begin(), object_->size};
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
  Member changed{replaces ? at->key : Value(key), std::move(value)};
  Value out;
  out.object_ = Run<Member>::make(all.size() + (replaces ? 0 : 1));
  out.tag_ = kObjectTag;
  Member* next = std::uninitialized_copy(all.begin(), at, out.object_->begin());
  ::new (next++) Member(std::move(changed));
  std::uninitialized_copy(at + (replaces ? 1 : 0), all.end(), next);
  return out;
}

Value Value::without(std::string_view key) const {
  const Value* const found = find(key);
  if (found == nullptr) return *this;
  const auto all = members();
  const auto at = std::find_if(all.begin(), all.end(),
                               [&](const Member& member) { return &member.value == found; });
  Value out;
  out.object_ = Run<Member>::make(all.size() - 1);
  out.tag_ = kObjectTag;
  Member* const next = std::uninitialized_copy(all.begin(), at, out.object_->begin());
  std::uninitialized_copy(at + 1, all.end(), next);
  return out;
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
      return a.array_ == b.array_ || std::ranges::equal(a.items(), b.items());
    case kObjectTag:
      return a.object_ == b.object_ || std::ranges::equal(a.members(), b.members());
    default:
      return a.as_string() == b.as_string();
  }
}

}  // namespace portico::json
