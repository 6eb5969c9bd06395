// Determines who gave a field of a package its value, from the package's states at each step.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/value.h"
#include "krm/object.h"
#include "krm/package.h"

namespace portico::package {

/// One step of a path into a value.
struct FieldStep {
  enum class Kind { kMember, kIndex, kItem } kind = Kind::kMember;
  std::string name;       // of a member; of an item in quotes, that item of a list of scalars
  std::size_t index = 0;  // in a list
  std::vector<std::pair<std::string, std::string>> keys;  // all must match: "name=web"
  bool operator==(const FieldStep&) const = default;
};

/// A field in the notation for users: "deployment.yaml:Deployment.apps/prod/web:spec.replicas".
struct FieldName {
  std::string file;         // "": any
  std::string kind, group;  // group "": any
  std::string ns, name;     // ns "": any
  std::vector<FieldStep> path;
  std::string path_text;
  bool operator==(const FieldName&) const = default;
};

/// Parses [FILE:]KIND[.GROUP]/[NAMESPACE/]NAME:PATH. In PATH, member names are separated by dots;
/// names that contain dots are in brackets and quotes. List items are in brackets, by index or by
/// the members that identify them: `spec.containers[name=web].image`,
/// `metadata.annotations["a.b/c"]`. kInvalid states what is expected.
Result<FieldName> parse_field(std::string_view text);

/// A resource in its package, with its upstream identity, so that its other versions are found even
/// if its name, namespace or file has changed.
struct PlacedResource {
  std::string file;
  krm::ResourceId id, origin;
};

/// kNotFound lists the existing files or resources; kInvalid if the name is ambiguous.
Result<PlacedResource> find_resource(const krm::Package& package, const FieldName& field);

/// The field's value in a given version of the package; nullopt if the resource or field does not
/// exist.
std::optional<json::Value> value_in(const krm::Package& package, const PlacedResource& resource,
                                    const FieldName& field);

/// For a path that does not exist: which members or items exist at the place where it fails: "spec
/// has no \"replica\"; there are replicas, selector, template".
std::string missing_field(const krm::Package& package, const PlacedResource& resource,
                          const FieldName& field);

/// The field's value after a step by `who`; nullopt: absent.
struct Candidate {
  std::string who;
  std::optional<json::Value> value;
  bool operator==(const Candidate&) const = default;
};

/// The sources of the field's values, in order.
struct FieldHistory {
  /// The candidates after which the value differed from before. The last one set the current value.
  /// Empty if the field never had a value.
  std::vector<Candidate> changes;
  bool edited = false;  // the last one is a user's
};

/// - `build`: the steps of the pristine build from the current inputs, from the first revision of
///   the upstream to the last function.
/// - `recorded`: the pristine build that the revision came from, if there is one. It takes
///   precedence: if `build` ends at another value, the inputs were different then.
/// - `commits`: the users' commits, oldest first: those that are not pristine builds.
/// - `value`: the field's value in the revision.
/// A value equal to that of the build is attributed to the build, whoever else wrote the same. Any
/// other value is attributed to a user: to the first of the latest consecutive commits that have
/// it.
FieldHistory field_history(std::span<const Candidate> build,
                           const std::optional<Candidate>& recorded,
                           std::span<const Candidate> commits,
                           const std::optional<json::Value>& value);

}  // namespace portico::package
