// Who gave a field of a package its value: the package as it was at each step, and what changed.
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

/// One step into a value.
struct FieldStep {
  enum class Kind { kMember, kIndex, kItem } kind = Kind::kMember;
  std::string name;       // of a member; of an item in quotes, the item of a list of scalars
  std::size_t index = 0;  // of a list
  std::vector<std::pair<std::string, std::string>> keys;  // "name=web", all of which an item has
  bool operator==(const FieldStep&) const = default;
};

/// A field as people write it: "deployment.yaml:Deployment.apps/prod/web:spec.replicas".
struct FieldName {
  std::string file;         // "": any
  std::string kind, group;  // group "": any
  std::string ns, name;     // ns "": any
  std::vector<FieldStep> path;
  std::string path_text;
  bool operator==(const FieldName&) const = default;
};

/// [FILE:]KIND[.GROUP]/[NAMESPACE/]NAME:PATH. In a PATH names of members stand between dots, those
/// with dots in them in brackets and quotes; items of lists in brackets, by number or by what tells
/// them apart: `spec.containers[name=web].image`, `metadata.annotations["a.b/c"]`. kInvalid says
/// what is expected.
Result<FieldName> parse_field(std::string_view text);

/// A resource in its package, with what it was called upstream, so that its other versions are
/// found where its name, namespace or file was changed.
struct PlacedResource {
  std::string file;
  krm::ResourceId id, origin;
};

/// kNotFound lists the files, or the resources that there are; kInvalid where several are meant.
Result<PlacedResource> find_resource(const krm::Package& package, const FieldName& field);

/// The field's value in some version of the package; nullopt where there is no such resource or
/// field.
std::optional<json::Value> value_in(const krm::Package& package, const PlacedResource& resource,
                                    const FieldName& field);

/// Which members or items there are where the path leads nowhere: "spec has no \"replica\"; there
/// are replicas, selector, template".
std::string missing_field(const krm::Package& package, const PlacedResource& resource,
                          const FieldName& field);

/// The field's value after somebody's step; nullopt: it was not there.
struct Candidate {
  std::string who;
  std::optional<json::Value> value;
  bool operator==(const Candidate&) const = default;
};

/// What gave the field its values, in order.
struct FieldHistory {
  /// Of the candidates those after which the value was another one than before. The last gave the
  /// value that there is. Empty where the field never had one.
  std::vector<Candidate> changes;
  bool edited = false;  // the last is a person's
};

/// - `build`: the steps of the pristine build, from the first revision of the upstream to the last
///   function. They are today's inputs.
/// - `recorded`: the pristine build that the revision came from, where there is one: its word
///   counts, and where the steps end at another value the inputs were others then.
/// - `commits`: people's, oldest first: those that are no pristine builds.
/// - `value`: what the revision has.
/// A value that the build gives is the build's, whoever wrote the same; else it is a person's, and
/// theirs who wrote it first of those that kept it.
FieldHistory field_history(std::span<const Candidate> build,
                           const std::optional<Candidate>& recorded,
                           std::span<const Candidate> commits,
                           const std::optional<json::Value>& value);

}  // namespace portico::package
