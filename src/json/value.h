// The dynamic object: an immutable JSON value whose copies share everything.
#pragma once

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace portico::json {

struct Member;

/// 16 bytes. Copying bumps a reference count; a changed copy (with, without) shares all that did
/// not change, so one object can be held by store, watchers and controllers at once. Strings up to
/// 15 bytes are inline. Integers and doubles stay apart: 1 and 1.0 are different values. Members
/// are kept in order of their keys' bytes, which is the order Kubernetes prints. Thread rule: a
/// Value is as safe as an int; what it shares is const.
class Value {
 public:
  enum class Type : std::uint8_t { kNull, kBool, kInt, kUint, kDouble, kString, kArray, kObject };

  Value() noexcept = default;  // null
  Value(std::nullptr_t) noexcept {}
  Value(bool value) noexcept;
  Value(int value) noexcept : Value(static_cast<std::int64_t>(value)) {}
  Value(std::int64_t value) noexcept;
  Value(std::uint64_t value) noexcept;  // kInt where it fits, so that equal numbers are equal
  Value(double value) noexcept;
  Value(std::string_view value);
  Value(const std::string& value) : Value(std::string_view(value)) {}
  Value(const char* value) : Value(std::string_view(value)) {}

  static Value array(std::vector<Value> items = {});
  /// Sorted by key; of equal keys the last one stays.
  static Value object(std::vector<Member> members);
  static Value object();

  // A Value is moved as the 16 bytes that it is; retain and release see to what they point to.
  // NOLINTBEGIN(bugprone-undefined-memory-manipulation)
  Value(const Value& other) noexcept {
    std::memcpy(static_cast<void*>(this), &other, sizeof(Value));
    if (is_counted()) retain();
  }
  Value(Value&& other) noexcept {
    std::memcpy(static_cast<void*>(this), &other, sizeof(Value));
    other.tag_ = 0;
  }
  // What is released may own `other`: it is taken first, and released last.
  Value& operator=(const Value& other) noexcept { return *this = Value(other); }
  Value& operator=(Value&& other) noexcept {
    if (this == &other) return *this;
    Value old(std::move(*this));
    std::memcpy(static_cast<void*>(this), &other, sizeof(Value));
    other.tag_ = 0;
    return *this;
  }
  // NOLINTEND(bugprone-undefined-memory-manipulation)
  ~Value() {
    if (is_counted()) release();
  }

  Type type() const noexcept;
  bool is_null() const noexcept { return type() == Type::kNull; }
  bool is_bool() const noexcept { return type() == Type::kBool; }
  bool is_string() const noexcept { return type() == Type::kString; }
  bool is_array() const noexcept { return type() == Type::kArray; }
  bool is_object() const noexcept { return type() == Type::kObject; }
  bool is_int() const noexcept { return type() == Type::kInt; }
  bool is_number() const noexcept;

  /// Each of these hands back a neutral value (false, 0, "") where the type is another one.
  bool as_bool() const noexcept;
  std::int64_t as_int() const noexcept;  // also from a uint or double that is a whole int64
  std::uint64_t as_uint() const noexcept;
  double as_double() const noexcept;  // of any number
  /// Valid while this Value (not only a copy of it) lives and is not assigned to.
  std::string_view as_string() const& noexcept;
  std::string as_string() && { return std::string(std::as_const(*this).as_string()); }

  /// Of an array or object; empty for every other type.
  std::size_t size() const noexcept;
  bool empty() const noexcept { return size() == 0; }
  std::span<const Value> items() const noexcept;
  std::span<const Member> members() const noexcept;

  /// The member, or nullptr (also where this is no object).
  const Value* find(std::string_view key) const noexcept;
  bool contains(std::string_view key) const noexcept { return find(key) != nullptr; }
  /// The member or item, or null: value["metadata"]["name"] never fails.
  const Value& operator[](std::string_view key) const noexcept;
  const Value& operator[](const char* key) const noexcept { return (*this)[std::string_view(key)]; }
  const Value& operator[](std::size_t index) const noexcept;

  /// Changed copies. `with` on what is no object starts from an empty one.
  Value with(std::string_view key, Value value) const;
  Value without(std::string_view key) const;
  /// Sets the member at the end of `path`, making objects on the way; an empty path is `value`.
  Value with_at(std::span<const std::string_view> path, Value value) const;
  Value with_at(std::initializer_list<std::string_view> path, Value value) const {
    return with_at(std::span(path.begin(), path.size()), std::move(value));
  }
  Value without_at(std::initializer_list<std::string_view> path) const;
  Value with_item(std::size_t index, Value value) const;  // index < size()
  Value with_appended(Value value) const;

  friend bool operator==(const Value& a, const Value& b) noexcept;
  /// True where both share one representation: equal without looking.
  bool same_as(const Value& other) const noexcept;

 private:
  template <class T>
  struct Run;

  bool is_counted() const noexcept { return tag_ >= 5 && tag_ <= 7; }
  void retain() const noexcept;
  void release() noexcept;
  void free_tree(int depth, std::vector<Value>& aside) noexcept;

  union {
    bool bool_;
    std::int64_t int_ = 0;
    std::uint64_t uint_;
    double double_;
    Run<char>* text_;
    Run<Value>* array_;
    Run<Member>* object_;
    char inline_[8];  // short strings run on into tail_
  };
  char tail_[7] = {};
  std::uint8_t tag_ = 0;
};
static_assert(sizeof(Value) == 16);

struct Member {
  Value key;  // always a string
  Value value;

  std::string_view name() const noexcept { return key.as_string(); }
  friend bool operator==(const Member& a, const Member& b) noexcept = default;
};

}  // namespace portico::json
