#include "cel/type.h"

#include <algorithm>

namespace portico::cel {
namespace {

std::string join(const std::vector<Type>& types) {
  std::string out;
  for (const Type& type : types) {
    if (!out.empty()) out += ", ";
    out += type.text();
  }
  return out;
}

}  // namespace

Type::Type(TypeKind kind, std::string name, std::vector<Type> params)
    : kind_(kind),
      parts_(std::make_shared<const Parts>(Parts{std::move(name), std::move(params)})) {}

Type Type::list(Type element) { return {TypeKind::kList, "", {std::move(element)}}; }
Type Type::map(Type key, Type value) {
  return {TypeKind::kMap, "", {std::move(key), std::move(value)}};
}
Type Type::wrapper(Type primitive) { return {TypeKind::kWrapper, "", {std::move(primitive)}}; }
Type Type::type_of(Type type) { return {TypeKind::kType, "", {std::move(type)}}; }
Type Type::opaque(std::string name, std::vector<Type> params) {
  return {TypeKind::kOpaque, std::move(name), std::move(params)};
}
Type Type::message(std::string name) { return {TypeKind::kMessage, std::move(name), {}}; }
Type Type::param(std::string name) { return {TypeKind::kParam, std::move(name), {}}; }
Type Type::variable(std::uint32_t number) noexcept {
  Type out(TypeKind::kVariable);
  out.number_ = number;
  return out;
}

bool Type::is_optional() const noexcept {
  return kind_ == TypeKind::kOpaque && parts_->name == "optional_type" && !parts_->params.empty();
}

const std::string& Type::name() const noexcept {
  static const std::string kNone;
  return parts_ ? parts_->name : kNone;
}

const std::vector<Type>& Type::params() const noexcept {
  static const std::vector<Type> kNone;
  return parts_ ? parts_->params : kNone;
}

bool Type::has_params() const noexcept {
  if (kind_ == TypeKind::kParam) return true;
  return std::any_of(params().begin(), params().end(),
                     [](const Type& each) { return each.has_params(); });
}

std::string_view Type::runtime_name() const noexcept {
  switch (kind_) {
    case TypeKind::kDyn:
      return "dyn";
    case TypeKind::kError:
      return "error";
    case TypeKind::kNull:
      return "null_type";
    case TypeKind::kBool:
      return "bool";
    case TypeKind::kInt:
      return "int";
    case TypeKind::kUint:
      return "uint";
    case TypeKind::kDouble:
      return "double";
    case TypeKind::kString:
      return "string";
    case TypeKind::kBytes:
      return "bytes";
    case TypeKind::kTimestamp:
      return "google.protobuf.Timestamp";
    case TypeKind::kDuration:
      return "google.protobuf.Duration";
    case TypeKind::kAny:
      return "google.protobuf.Any";
    case TypeKind::kWrapper:
      return param(0).runtime_name();
    case TypeKind::kList:
      return "list";
    case TypeKind::kMap:
      return "map";
    case TypeKind::kType:
      return "type";
    case TypeKind::kOpaque:
    case TypeKind::kMessage:
    case TypeKind::kParam:
      return name();
    case TypeKind::kVariable:
      return "dyn";
  }
  return "dyn";
}

std::string Type::text() const {
  switch (kind_) {
    case TypeKind::kError:
      return "!error!";
    case TypeKind::kNull:
      return "null";
    case TypeKind::kTimestamp:
      return "timestamp";
    case TypeKind::kDuration:
      return "duration";
    case TypeKind::kAny:
      return "any";
    case TypeKind::kWrapper:
      return "wrapper(" + param(0).text() + ")";
    case TypeKind::kList:
      return "list(" + param(0).text() + ")";
    case TypeKind::kMap:
      return "map(" + join(params()) + ")";
    case TypeKind::kType:
      return params().empty() ? "type" : "type(" + param(0).text() + ")";
    case TypeKind::kOpaque:
      return params().empty() ? name() : name() + "(" + join(params()) + ")";
    default:
      return std::string(runtime_name());
  }
}

bool operator==(const Type& a, const Type& b) noexcept {
  if (a.kind_ != b.kind_ || a.number_ != b.number_) return false;
  if (a.parts_ == b.parts_) return true;
  if (!a.parts_ || !b.parts_) return false;
  return a.parts_->name == b.parts_->name && a.parts_->params == b.parts_->params;
}

}  // namespace portico::cel
