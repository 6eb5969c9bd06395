// The values of a Starlark program: small handles to objects in a Heap.
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
  kView,      // the result of "abc".elems() and the like: only iterable
  kFunction,  // written in Starlark
  kBuiltin,   // a function or method of the language or the host
  kStruct,
  kModule,
};

/// 16 bytes, cheap to copy; None by default. None, bools, floats and 64-bit ints are stored in the
/// value itself. Everything else is stored in its Heap (or in the Program, for its literals), which
/// must outlive the Value. Not thread-safe, like its Heap.
class Value {
 public:
  Value() noexcept = default;
  explicit Value(bool value) noexcept : tag_(Tag::kBool), bool_(value) {}
  explicit Value(std::int64_t value) noexcept : tag_(Tag::kInt), int_(value) {}
  explicit Value(double value) noexcept : tag_(Tag::kFloat), float_(value) {}

  Type type() const noexcept;
  /// The type's name in the language: "NoneType", "int", "builtin_function_or_method", ...
  std::string_view type_name() const noexcept;
  bool is(Type type) const noexcept { return this->type() == type; }
  bool is_none() const noexcept { return tag_ == Tag::kNone; }

  // The accessors return a neutral value if the type is different.
  bool as_bool() const noexcept { return tag_ == Tag::kBool && bool_; }
  double as_float() const noexcept { return tag_ == Tag::kFloat ? float_ : 0; }
  /// nullopt if the value is not an int or does not fit.
  std::optional<std::int64_t> as_int() const noexcept;
  std::optional<std::uint64_t> as_uint() const noexcept;
  /// For an int (the nearest float, infinite if too large) or a float; nullopt for anything else.
  std::optional<double> to_float() const;
  /// For a string or bytes: arbitrary bytes. Valid for the lifetime of the Heap.
  std::string_view text() const noexcept;
  /// For a list or tuple; for a list, valid until it changes.
  std::span<const Value> items() const noexcept;
  /// For a dict, in insertion order.
  std::vector<std::pair<Value, Value>> entries() const;
  /// For a struct or module, sorted by name.
  std::vector<std::pair<std::string_view, Value>> fields() const;
  /// The entry of a dict, or the attribute of a struct or module, with that name.
  std::optional<Value> find(std::string_view name) const;
  bool is_callable() const noexcept { return is(Type::kFunction) || is(Type::kBuiltin); }
  /// Distinguishes a list, dict or other object from an equal one; 0 if it is not an object.
  std::uintptr_t identity() const noexcept;

  /// The truth value, as used by `if`.
  bool truth() const noexcept;
  /// The results of str() and repr(). Lists and dicts that contain themselves are shown as [...]
  /// and {...}, as is everything below a depth of 200.
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
