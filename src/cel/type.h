// The types used by the checker.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace portico::cel {

enum class TypeKind : std::uint8_t {
  kDyn,
  kError,  // the type of an expression that did not check
  kNull,
  kBool,
  kInt,
  kUint,
  kDouble,
  kString,
  kBytes,
  kTimestamp,
  kDuration,
  kAny,      // google.protobuf.Any: checked like dyn
  kWrapper,  // nullable primitive: params[0]
  kList,     // params[0]
  kMap,      // params[0] -> params[1]
  kType,     // the type of types; params[0] if it is known
  kOpaque,   // name and params; optional_type is one
  kMessage,  // name
  kParam,    // a type parameter of a function, by name
  kVariable  // a type parameter during a check, by number
};

/// A type. Copies share compound parts; immutable, so copies can be used in several threads.
class Type {
 public:
  Type() noexcept = default;  // dyn
  Type(TypeKind simple) noexcept : kind_(simple) {}

  static Type list(Type element);
  static Type map(Type key, Type value);
  static Type wrapper(Type primitive);
  static Type type_of(Type type);
  static Type opaque(std::string name, std::vector<Type> params = {});
  static Type optional(Type held) { return opaque("optional_type", {std::move(held)}); }
  static Type message(std::string name);
  static Type param(std::string name);
  static Type variable(std::uint32_t number) noexcept;

  TypeKind kind() const noexcept { return kind_; }
  bool is(TypeKind kind) const noexcept { return kind_ == kind; }
  bool is_dyn() const noexcept { return kind_ == TypeKind::kDyn || kind_ == TypeKind::kAny; }
  bool is_optional() const noexcept;
  /// For an opaque, message or param type.
  const std::string& name() const noexcept;
  const std::vector<Type>& params() const noexcept;
  const Type& param(std::size_t index) const noexcept { return params()[index]; }
  std::uint32_t number() const noexcept { return number_; }
  /// Whether the type contains type parameters, which must be replaced in function signatures.
  bool has_params() const noexcept;

  /// The name that type() gives for a value of this type: "list", "google.protobuf.Timestamp".
  std::string_view runtime_name() const noexcept;
  /// "map(string, list(int))", as in error messages.
  std::string text() const;

  friend bool operator==(const Type& a, const Type& b) noexcept;

 private:
  struct Parts {
    std::string name;
    std::vector<Type> params;
  };
  Type(TypeKind kind, std::string name, std::vector<Type> params);

  TypeKind kind_ = TypeKind::kDyn;
  std::uint32_t number_ = 0;
  std::shared_ptr<const Parts> parts_;
};

}  // namespace portico::cel
