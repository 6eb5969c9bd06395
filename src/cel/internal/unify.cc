#include "cel/internal/unify.h"

#include <algorithm>
#include <utility>

namespace portico::cel::internal {
namespace {

bool nullable(const Type& type) {
  switch (type.kind()) {
    case TypeKind::kNull:
    case TypeKind::kAny:
    case TypeKind::kTimestamp:
    case TypeKind::kDuration:
    case TypeKind::kWrapper:
    case TypeKind::kOpaque:
    case TypeKind::kMessage:
      return true;
    default:
      return false;
  }
}

bool wild(const Type& type) { return type.is_dyn() || type.is(TypeKind::kError); }

bool says_less_or_same(const Type& a, const Type& b) {
  if (a.is_dyn() || a.is(TypeKind::kVariable)) return true;
  if (b.is_dyn() || b.is(TypeKind::kVariable)) return false;
  if (b.is(TypeKind::kNull)) return nullable(a);
  if (a.is(TypeKind::kWrapper) && !b.is(TypeKind::kWrapper)) return a.param(0) == b;
  if (a.kind() != b.kind()) return false;
  if (a.is(TypeKind::kType)) return true;
  if (a.name() != b.name() || a.params().size() != b.params().size()) return false;
  for (std::size_t i = 0; i < a.params().size(); ++i)
    if (!says_less_or_same(a.param(i), b.param(i))) return false;
  return true;
}

template <class Change>
Type rebuild(const Type& type, const Change& change) {
  std::vector<Type> params;
  params.reserve(type.params().size());
  for (const Type& param : type.params()) params.push_back(change(param));
  switch (type.kind()) {
    case TypeKind::kList:
      return Type::list(std::move(params[0]));
    case TypeKind::kMap:
      return Type::map(std::move(params[0]), std::move(params[1]));
    case TypeKind::kWrapper:
      return Type::wrapper(std::move(params[0]));
    case TypeKind::kType:
      return Type::type_of(std::move(params[0]));
    default:
      return Type::opaque(type.name(), std::move(params));
  }
}

}  // namespace

Type more_general(const Type& a, const Type& b) { return says_less_or_same(a, b) ? a : b; }

Type Unifier::instantiate(const Type& type, std::map<std::string, Type>& names) {
  if (type.is(TypeKind::kParam)) {
    const auto [found, added] = names.try_emplace(type.name());
    if (added) found->second = fresh();
    return found->second;
  }
  if (type.params().empty() || !type.has_params()) return type;
  return rebuild(type, [&](const Type& param) { return instantiate(param, names); });
}

bool Unifier::assignable(const std::vector<Type>& from, const std::vector<Type>& to) {
  const std::size_t since = changes_.size();
  return keep_or_undo(fits_all(from, to), since);
}

bool Unifier::assignable(const Type& from, const Type& to) {
  const std::size_t since = changes_.size();
  return keep_or_undo(fits(from, to), since);
}

bool Unifier::keep_or_undo(bool holds, std::size_t since) {
  while (!holds && changes_.size() > since) {
    known_[changes_.back().variable] = std::move(changes_.back().before);
    changes_.pop_back();
  }
  return holds;
}

void Unifier::set(std::uint32_t variable, Type type) {
  changes_.push_back({variable, std::exchange(known_[variable], std::move(type))});
}

bool Unifier::fits_all(const std::vector<Type>& from, const std::vector<Type>& to) {
  if (from.size() != to.size()) return false;
  for (std::size_t i = 0; i < from.size(); ++i)
    if (!fits(from[i], to[i])) return false;
  return true;
}

bool Unifier::fits(const Type& from, const Type& to) {
  if (from.is(TypeKind::kVariable) && from == to) return true;
  if (to.is(TypeKind::kVariable)) {
    bool known = false;
    if (substitute(from, to, known)) return true;
    if (known) return false;
  }
  if (from.is(TypeKind::kVariable)) {
    bool known = false;
    return substitute(to, from, known);
  }
  if (wild(from) || wild(to)) return true;
  if (from.is(TypeKind::kNull)) return nullable(to);
  if (to.is(TypeKind::kNull)) return nullable(from);
  if (from.is(TypeKind::kWrapper))
    return fits(from.param(0), to.is(TypeKind::kWrapper) ? to.param(0) : to);
  if (to.is(TypeKind::kWrapper)) return from == to.param(0);
  if (from.kind() != to.kind()) return false;
  // The parameters of the type of types never matter for assignability.
  if (from.is(TypeKind::kType)) return true;
  return from.name() == to.name() && fits_all(from.params(), to.params());
}

// Whether `type` can be the value of `variable`. `known`: whether the variable already had a value.
bool Unifier::substitute(const Type& type, const Type& variable, bool& known) {
  if (known_[variable.number()]) {
    known = true;
    const Type before = *known_[variable.number()];
    if (type == before) return true;
    if (!fits(type, before)) return false;
    set(variable.number(), more_general(type, before));
    return true;
  }
  if (occurs(variable, type)) return false;
  set(variable.number(), type);
  return true;
}

bool Unifier::occurs(const Type& variable, const Type& within) const {
  if (variable == within) return true;
  if (within.is(TypeKind::kVariable)) {
    const std::optional<Type>& stands_for = known_[within.number()];
    return stands_for && occurs(variable, *stands_for);
  }
  return std::any_of(within.params().begin(), within.params().end(),
                     [&](const Type& param) { return occurs(variable, param); });
}

Type Unifier::resolve(const Type& type, bool unknown_to_dyn) const {
  if (type.is(TypeKind::kVariable)) {
    if (const std::optional<Type>& stands_for = known_[type.number()])
      return resolve(*stands_for, unknown_to_dyn);
    return unknown_to_dyn ? Type() : type;
  }
  if (type.params().empty()) return type;
  return rebuild(type, [&](const Type& param) { return resolve(param, unknown_to_dyn); });
}

}  // namespace portico::cel::internal
