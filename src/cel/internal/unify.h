// Which type may stand where another is wanted; type parameters are found on the way.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cel/type.h"

namespace portico::cel::internal {

/// The type parameters of one check and what is known of them. The rules are those of the CEL
/// checker: dyn goes everywhere, null where the type is nullable, a primitive where its wrapper is
/// wanted, and of two types that agree up to dyn the more general one is kept.
class Unifier {
 public:
  Type fresh() { return Type::variable(next_++); }

  /// `type` with its named parameters replaced by fresh variables, the same for the same name.
  Type instantiate(const Type& type, std::map<std::string, Type>& names);

  /// Whether every `from[i]` may stand for `to[i]`; what that says about variables is kept only
  /// where it holds for all.
  bool assignable(const std::vector<Type>& from, const std::vector<Type>& to);
  bool assignable(const Type& from, const Type& to);

  /// Variables replaced by what is known; the unknown ones by dyn if asked.
  Type resolve(const Type& type, bool unknown_to_dyn) const;

 private:
  using Known = std::map<std::uint32_t, Type>;

  bool fits(const Type& from, const Type& to);
  bool fits_all(const std::vector<Type>& from, const std::vector<Type>& to);
  bool substitute(const Type& type, const Type& variable, bool& known);
  bool occurs(const Type& variable, const Type& within) const;

  Known known_;
  std::uint32_t next_ = 0;
};

/// The one of two types that fit each other which says less.
Type more_general(const Type& a, const Type& b);

}  // namespace portico::cel::internal
