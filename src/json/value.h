// The dynamic object: an immutable JSON value whose copies share their data.
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

/// 16 bytes. Copying increments a reference count; a modified copy (with, without) shares all
/// unchanged parts, so that one object can be held by store, watchers and controllers at once.
/// Strings of up to 15 bytes are inline. Integers and doubles are distinct: 1 and 1.0 are different
/// values. Members are sorted by the bytes of their keys, the order in which Kubernetes prints
/// them. A Value is as thread-safe as an int; the shared data is const.
class Value {
 public:
  enum class Type : std::uint8_t { kNull, kBool, kInt, kUint, kDouble, kString, kArray, kObject };

  Value() noexcept = default;  // null
  Value(std::nullptr_t) noexcept {}
  Value(bool value) noexcept;
  Value(int value) noexcept : Value(static_cast<std::int64_t>(value)) {}
  Value(std::int64_t value) noexcept;
  Value(std::uint64_t value) noexcept;  // kInt if it fits, so that equal numbers are equal
  Value(double value) noexcept;
  Value(std::string_view value);
  Value(const std::string& value) : Value(std::string_view(value)) {}
  Value(const char* value) : Value(std::string_view(value)) {}

  static Value array(std::vector<Value> items = {});
  /// Sorted by key; the last of equal keys wins.
  static Value object(std::vector<Member> members);
  static Value object();

  // A Value is moved as its 16 bytes; retain and release manage the data that they point to.
  // NOLINTBEGIN(bugprone-undefined-memory-manipulation)
  Value(const Value& other) noexcept {
    std::memcpy(static_cast<void*>(this), &other, sizeof(Value));
    if (is_counted()) retain();
  }
  Value(Value&& other) noexcept {
    std::memcpy(static_cast<void*>(this), &other, sizeof(Value));
    other.tag_ = 0;
  }
  // The released data may own `other`: take `other` first, release last.
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

  /// Each accessor returns a neutral value (false, 0, "") if the type is different.
  bool as_bool() const noexcept;
  std::int64_t as_int() const noexcept;  // also for a uint or double that is a whole int64
  std::uint64_t as_uint() const noexcept;
  double as_double() const noexcept;  // for any number
  /// Valid while this Value (not just a copy of it) exists and is not assigned to.
  std::string_view as_string() const& noexcept;
  std::string as_string() && { return std::string(std::as_const(*this).as_string()); }

  /// For an array or object; 0 or empty for every other type.
  std::size_t size() const noexcept;
  bool empty() const noexcept { return size() == 0; }
  std::span<const Value> items() const noexcept;
  std::span<const Member> members() const noexcept;

  /// The member, or nullptr (also if this is not an object).
  const Value* find(std::string_view key) const noexcept;
  bool contains(std::string_view key) const noexcept { return find(key) != nullptr; }
  /// The member or item, or null if absent: value["metadata"]["name"] never fails.
  const Value& operator[](std::string_view key) const noexcept;
  const Value& operator[](const char* key) const noexcept { return (*this)[std::string_view(key)]; }
  const Value& operator[](std::size_t index) const noexcept;

  /// Modified copies. `with` on a non-object starts from an empty object.
  Value with(std::string_view key, Value value) const;
  Value without(std::string_view key) const;
  /// Sets the member at the end of `path` and creates objects on the way; with an empty path,
  /// returns `value`.
  Value with_at(std::span<const std::string_view> path, Value value) const;
  Value with_at(std::initializer_list<std::string_view> path, Value value) const {
    return with_at(std::span(path.begin(), path.size()), std::move(value));
  }
  Value without_at(std::initializer_list<std::string_view> path) const;
  Value with_item(std::size_t index, Value value) const;  // index < size()
  Value with_appended(Value value) const;

  friend bool operator==(const Value& a, const Value& b) noexcept;
  /// Whether both share the same data, which implies equality.
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
    char inline_[8];  // short strings continue into tail_
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
