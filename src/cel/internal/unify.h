// Decides whether one type can be assigned to another, and infers type parameters.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cel/type.h"

namespace portico::cel::internal {

/// The type parameters of one check and their known values. The rules are those of the CEL checker:
/// dyn is assignable to everything, null to nullable types, and a primitive to its wrapper; of two
/// types that agree up to dyn, the more general one is kept.
class Unifier {
 public:
  Type fresh() {
    known_.emplace_back();
    return Type::variable(static_cast<std::uint32_t>(known_.size() - 1));
  }

  /// Replaces the named parameters of `type` with fresh variables, one per name.
  Type instantiate(const Type& type, std::map<std::string, Type>& names);

  /// Whether every `from[i]` is assignable to `to[i]`. The inferred variables are kept only if all
  /// are.
  bool assignable(const std::vector<Type>& from, const std::vector<Type>& to);
  bool assignable(const Type& from, const Type& to);

  /// Replaces variables with their known types; if requested, unknown ones with dyn.
  Type resolve(const Type& type, bool unknown_to_dyn) const;

 private:
  /// The value of a variable before a change.
  struct Change {
    std::uint32_t variable;
    std::optional<Type> before;
  };

  bool fits(const Type& from, const Type& to);
  bool fits_all(const std::vector<Type>& from, const std::vector<Type>& to);
  bool substitute(const Type& type, const Type& variable, bool& known);
  bool occurs(const Type& variable, const Type& within) const;
  void set(std::uint32_t variable, Type type);
  bool keep_or_undo(bool holds, std::size_t since);

  std::vector<std::optional<Type>> known_;  // by variable number
  std::vector<Change> changes_;
};

/// The more general of two compatible types: dyn, the nullable type rather than null, and a wrapper
/// rather than its primitive.
Type more_general(const Type& a, const Type& b);

}  // namespace portico::cel::internal
