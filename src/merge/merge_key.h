// The merge key, which ties a resource to its upstream resource across renames.
#pragma once

#include "base/result.h"
#include "krm/object.h"
#include "krm/package.h"

namespace portico::merge {

/// "GROUP|KIND|NAMESPACE or default|NAME" of the upstream resource.
inline constexpr const char* kUpstreamIdentifier = "internal.kpt.dev/upstream-identifier";

/// The upstream identity of a resource: from the comment "# kpt-merge: NAMESPACE/NAME" on its
/// metadata line, else from the annotation kUpstreamIdentifier, else its current name. Group and
/// kind are always those of the resource itself. All fields are empty for a non-KRM object.
krm::ResourceId upstream_identity(const krm::Object& object);

/// Marks a resource as kpt does when it fetches a package: adds the comment on `metadata:` if that
/// line has no comment, and the annotation if it is missing. Leaves alone resources without
/// metadata, resources whose name Kubernetes would not allow, and anything that is not a KRM
/// resource.
Result<Done> add_merge_key(krm::Object& object);

/// Restores a merge key that `object` lost, entirely or in part, from `from`, another version of
/// it. A no-op if `from` has none.
Result<Done> copy_merge_key(krm::Object& object, const krm::Object& from);

/// Applies add_merge_key to every resource in *.yaml and *.yml files. Other files, files that do
/// not parse, and files that already have all merge keys stay byte-for-byte as they are.
Result<krm::Package> with_merge_keys(const krm::Package& package);

/// Like with_merge_keys, but includes Kptfiles, as Porch's clone does. kInvalid for a Kptfile that
/// does not parse.
Result<krm::Package> with_all_merge_keys(const krm::Package& package);

/// True for the files whose documents are resources: *.yaml, *.yml and Kptfile.
bool is_resource_file(std::string_view path);

}  // namespace portico::merge
