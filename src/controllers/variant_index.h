// Which PackageVariants an event concerns: an index from what they depend on to their keys. Pure.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "json/value.h"
#include "krm/meta.h"

namespace portico::controllers {

/// Arrow 8 of docs/life-of-a-variant.md. A variant depends on the revisions of its upstream and
/// downstream packages and those it owns, on the Repository of each package, on the objects that
/// its injectors name (by name and kind), and on every FunctionConfig. Not safe from several
/// threads.
class VariantIndex {
 public:
  /// The variant as it is now; null when it is gone.
  void put(const krm::ObjectKey& key, const json::Value& variant);

  /// The variants that this object's change concerns, itself included where it is one.
  std::set<krm::ObjectKey> concerned(const json::Value& object) const;

 private:
  // What is depended on, as fields: never joined into one text.
  struct Dependency {
    enum class What { kPackage, kRepository, kInjected };
    What what = What::kPackage;
    std::string ns;
    std::string first, second;  // repository and package; name; name and kind ("": any)
    auto operator<=>(const Dependency&) const = default;
  };
  static std::vector<Dependency> dependencies(const std::string& ns, const json::Value& variant);

  std::map<Dependency, std::set<krm::ObjectKey>> dependents_;
  std::map<krm::ObjectKey, std::vector<Dependency>> of_;
};

}  // namespace portico::controllers
