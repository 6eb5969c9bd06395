// The signatures of the operators.
#include "cel/internal/checker.h"

namespace portico::cel::internal {
namespace {

const TypeKind kOrdered[] = {TypeKind::kBool,      TypeKind::kInt,     TypeKind::kUint,
                             TypeKind::kDouble,    TypeKind::kString,  TypeKind::kBytes,
                             TypeKind::kTimestamp, TypeKind::kDuration};
const TypeKind kNumbers[] = {TypeKind::kInt, TypeKind::kUint, TypeKind::kDouble};

class Declarations {
 public:
  void add(const char* name, std::vector<Type> params, Type result) {
    if (out.empty() || out.back().name != name) out.push_back({name, {}});
    out.back().overloads.push_back({name, std::move(params), std::move(result), false, {}, {}});
  }
  std::vector<Function> out;
};

void add_arithmetic(Declarations& to) {
  const Type time = TypeKind::kTimestamp;
  const Type span = TypeKind::kDuration;
  const Type list = Type::list(Type::param("A"));
  for (const char* name : {"_+_", "_-_", "_*_", "_/_"}) {
    for (const TypeKind number : kNumbers) to.add(name, {number, number}, number);
    if (std::string_view(name) == "_+_") {
      to.add(name, {TypeKind::kString, TypeKind::kString}, TypeKind::kString);
      to.add(name, {TypeKind::kBytes, TypeKind::kBytes}, TypeKind::kBytes);
      to.add(name, {list, list}, list);
      to.add(name, {time, span}, time);
      to.add(name, {span, time}, time);
      to.add(name, {span, span}, span);
    }
    if (std::string_view(name) == "_-_") {
      to.add(name, {time, time}, span);
      to.add(name, {time, span}, time);
      to.add(name, {span, span}, span);
    }
  }
  to.add("_%_", {TypeKind::kInt, TypeKind::kInt}, TypeKind::kInt);
  to.add("_%_", {TypeKind::kUint, TypeKind::kUint}, TypeKind::kUint);
  to.add("-_", {TypeKind::kInt}, TypeKind::kInt);
  to.add("-_", {TypeKind::kDouble}, TypeKind::kDouble);
  to.add("!_", {TypeKind::kBool}, TypeKind::kBool);
}

void add_comparisons(Declarations& to, bool cross_type) {
  for (const char* name : {"_<_", "_<=_", "_>_", "_>=_"}) {
    for (const TypeKind kind : kOrdered) to.add(name, {kind, kind}, TypeKind::kBool);
    for (const TypeKind a : kNumbers)
      for (const TypeKind b : kNumbers)
        if (cross_type && a != b) to.add(name, {a, b}, TypeKind::kBool);
  }
  const Type any = Type::param("A");
  to.add("_==_", {any, any}, TypeKind::kBool);
  to.add("_!=_", {any, any}, TypeKind::kBool);
  to.add("@in", {any, Type::list(any)}, TypeKind::kBool);
  to.add("@in", {any, Type::map(any, Type::param("B"))}, TypeKind::kBool);
  to.add("_?_:_", {TypeKind::kBool, any, any}, any);
}

void add_index(Declarations& to, bool optional_syntax) {
  const Type list = Type::list(Type::param("A"));
  const Type map = Type::map(Type::param("A"), Type::param("B"));
  const Type item = Type::param("A");
  const Type entry = Type::param("B");
  to.add("_[_]", {list, TypeKind::kInt}, item);
  to.add("_[_]", {map, item}, entry);
  if (!optional_syntax) return;
  to.add("_[_]", {Type::optional(list), TypeKind::kInt}, Type::optional(item));
  to.add("_[_]", {Type::optional(map), item}, Type::optional(entry));
  to.add("_[?_]", {list, TypeKind::kInt}, Type::optional(item));
  to.add("_[?_]", {Type::optional(list), TypeKind::kInt}, Type::optional(item));
  to.add("_[?_]", {map, item}, Type::optional(entry));
  to.add("_[?_]", {Type::optional(map), item}, Type::optional(entry));
}

}  // namespace

std::vector<Function> operator_declarations(const Options& options, bool optional_syntax) {
  Declarations to;
  add_arithmetic(to);
  add_comparisons(to, options.cross_type_comparisons);
  add_index(to, optional_syntax);
  return std::move(to.out);
}

}  // namespace portico::cel::internal
