// Differences between two versions of a package, by resource and field.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"
#include "krm/object.h"
#include "krm/package.h"

namespace portico::merge {

/// One difference between the two versions.
struct Difference {
  enum class Kind {
    kAdded,
    kRemoved,
    kChanged,
    kMoved,  // a resource, to another file; `before` and `after` are the paths
  };
  Kind kind = Kind::kChanged;
  std::string file;        // in `after`; for a removal, in `before`
  krm::ResourceId object;  // its current identity; empty where the difference concerns a file
  std::string field;       // "spec.containers[name=web].image"; "" for the whole resource or file
  /// nullopt where the value is absent, and for file contents. Where the mode of a file changed,
  /// "regular", "executable" or "symlink".
  std::optional<json::Value> before, after;
  bool operator==(const Difference&) const = default;
};

/// "added", ...
std::string_view name(Difference::Kind kind);

/// "web.yaml: Deployment.apps default/web: spec.replicas: changed from 3 to 5"
std::string difference_text(const Difference& difference);

/// Sorted by file, then by the order of resources, then by field name. Resources are paired as in a
/// merge (resource_merge). Lists are paired by known or inferred keys; a list without keys is
/// compared as one value. Files that are not YAML or do not parse are compared as bytes. Comments,
/// layout, the order of keys and the order of resources in a file do not count as differences: an
/// empty result means that the packages are equal as KRM.
std::vector<Difference> differences(const krm::Package& before, const krm::Package& after);

/// Whether a resource file has an added or changed comment. Merge keys do not count as comments.
bool has_new_comments(const krm::Package& before, const krm::Package& after);

}  // namespace portico::merge
