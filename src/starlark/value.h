// What a Starlark program computes with: a small handle to what lives in a Heap.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace portico::starlark {

namespace internal {
struct Object;
struct Access;
}  // namespace internal

enum class Type : std::uint8_t {
  kNone,
  kBool,
  kInt,
  kFloat,
  kString,
  kBytes,
  kList,
  kTuple,
  kDict,
  kSet,
  kRange,
  kView,      // what "abc".elems() and its like hand back: iterable, nothing more
  kFunction,  // written in Starlark
  kBuiltin,   // a function or method of the language or of the host
  kStruct,
  kModule,
};

/// 16 bytes, copied freely; None by default. None, bools, floats and ints of 64 bits stand in the
/// value itself, everything else in the Heap it came from (or in the Program, for its literals):
/// a Value is good as long as that lives. As safe between threads as its Heap, which is to say not.
class Value {
 public:
  Value() noexcept = default;
  explicit Value(bool value) noexcept : tag_(Tag::kBool), bool_(value) {}
  explicit Value(std::int64_t value) noexcept : tag_(Tag::kInt), int_(value) {}
  explicit Value(double value) noexcept : tag_(Tag::kFloat), float_(value) {}

  Type type() const noexcept;
  /// As the language has it: "NoneType", "int", "string", "builtin_function_or_method", ...
  std::string_view type_name() const noexcept;
  bool is(Type type) const noexcept { return this->type() == type; }
  bool is_none() const noexcept { return tag_ == Tag::kNone; }

  // Each of these hands back a neutral value where the type is another one.
  bool as_bool() const noexcept { return tag_ == Tag::kBool && bool_; }
  double as_float() const noexcept { return tag_ == Tag::kFloat ? float_ : 0; }
  /// Nothing for an int that does not fit, and for what is no int.
  std::optional<std::int64_t> as_int() const noexcept;
  std::optional<std::uint64_t> as_uint() const noexcept;
  /// Of an int (the nearest, infinite where too large) or a float; nothing for what is no number.
  std::optional<double> to_float() const;
  /// Of a string or bytes: any bytes. Valid as long as the Heap.
  std::string_view text() const noexcept;
  /// Of a list or tuple; of a list, valid until it changes.
  std::span<const Value> items() const noexcept;
  /// Of a dict, in the order of insertion.
  std::vector<std::pair<Value, Value>> entries() const;
  /// Of a struct or module, sorted by name.
  std::vector<std::pair<std::string_view, Value>> fields() const;
  /// The entry of a dict, or the attribute of a struct or module, with that name.
  std::optional<Value> find(std::string_view name) const;
  bool is_callable() const noexcept { return is(Type::kFunction) || is(Type::kBuiltin); }
  /// Tells one list, dict or other object from an equal one; 0 for what is no object.
  std::uintptr_t identity() const noexcept;

  /// What `if` makes of it.
  bool truth() const noexcept;
  /// As str() and repr() show it. Lists and dicts that contain themselves are shown as [...] and
  /// {...}; from a depth of 200 on everything is.
  std::string str() const;
  std::string repr() const;

 private:
  friend struct internal::Access;
  enum class Tag : std::uint8_t { kNone, kBool, kInt, kFloat, kObject, kUnset };

  Tag tag_ = Tag::kNone;
  union {
    bool bool_;
    std::int64_t int_ = 0;
    double float_;
    internal::Object* object_;
  };
};
static_assert(sizeof(Value) == 16);

}  // namespace portico::starlark
