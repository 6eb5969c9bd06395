// Which type may stand where another is wanted; type parameters are found on the way.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cel/type.h"

namespace portico::cel::internal {

/// The type parameters of one check and what is known of them. The rules are those of the CEL
/// checker: dyn goes everywhere, null where the type is nullable, a primitive where its wrapper is
/// wanted, and of two types that agree up to dyn the more general one is kept.
class Unifier {
 public:
  Type fresh() {
    known_.emplace_back();
    return Type::variable(static_cast<std::uint32_t>(known_.size() - 1));
  }

  /// `type` with its named parameters replaced by fresh variables, the same for the same name.
  Type instantiate(const Type& type, std::map<std::string, Type>& names);

  /// Whether every `from[i]` may stand for `to[i]`; what that says about variables is kept only
  /// where it holds for all.
  bool assignable(const std::vector<Type>& from, const std::vector<Type>& to);
  bool assignable(const Type& from, const Type& to);

  /// Variables replaced by what is known; the unknown ones by dyn if asked.
  Type resolve(const Type& type, bool unknown_to_dyn) const;

 private:
  /// What a variable stood for before it was changed.
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

  std::vector<std::optional<Type>> known_;  // by the variable's number
  std::vector<Change> changes_;
};

/// The one of two types that fit each other which says less: dyn, what may be null rather than
/// null, and a wrapper rather than its primitive.
Type more_general(const Type& a, const Type& b);

}  // namespace portico::cel::internal
