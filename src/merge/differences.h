// What differs between two versions of a package: resource by resource, field by field.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"
#include "krm/object.h"
#include "krm/package.h"

namespace portico::merge {

/// One thing that is not as it was.
struct Difference {
  enum class Kind {
    kAdded,
    kRemoved,
    kChanged,
    kMoved,  // a resource to another file; `before` and `after` are the paths
  };
  Kind kind = Kind::kChanged;
  std::string file;        // where it is now; of what is gone, where it was
  krm::ResourceId object;  // as it is called now; empty where the difference is of a file
  std::string field;       // "spec.containers[name=web].image"; "" for the whole resource or file
  /// nullopt: not there, or a file's bytes. Where the mode of a file changed, "regular",
  /// "executable" or "symlink".
  std::optional<json::Value> before, after;
  bool operator==(const Difference&) const = default;
};

/// "added", ...
std::string_view name(Difference::Kind kind);

/// "web.yaml: Deployment.apps default/web: spec.replicas: changed from 3 to 5"
std::string difference_text(const Difference& difference);

/// By file, then in the order of the resources, then of the fields' names. Resources are paired as
/// a merge pairs them (resource_merge), lists by the keys that are known or seem plain, else they
/// are one value. Files that are no YAML or do not parse are compared as bytes. Comments, layout,
/// the order of keys and that of the resources of a file are no difference: none means that the two
/// are equal as KRM.
std::vector<Difference> differences(const krm::Package& before, const krm::Package& after);

/// Whether a file of resources has a comment that it had not, or a changed one. Merge keys are
/// none.
bool has_new_comments(const krm::Package& before, const krm::Package& after);

}  // namespace portico::merge
