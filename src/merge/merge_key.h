// The mark that ties a resource to the upstream resource it came from, whatever it is called now.
#pragma once

#include "base/result.h"
#include "krm/object.h"
#include "krm/package.h"

namespace portico::merge {

/// "GROUP|KIND|NAMESPACE or default|NAME" of the upstream resource.
inline constexpr const char* kUpstreamIdentifier = "internal.kpt.dev/upstream-identifier";

/// What a resource was called upstream: by the comment "# kpt-merge: NAMESPACE/NAME" on its
/// metadata line, else by the annotation kUpstreamIdentifier, else what it is called now. Group and
/// kind are always those of the resource itself. Empty (all fields) for what is no KRM resource.
krm::ResourceId upstream_identity(const krm::Object& object);

/// Marks a resource as kpt does when it fetches a package: the comment on `metadata:` where that
/// line has none, and the annotation where there is none. A resource without metadata, one whose
/// name Kubernetes would not allow, and what is no KRM resource, is left alone.
Result<Done> add_merge_key(krm::Object& object);

/// Gives an object that lost its mark, or a part of it, that of `from`, another version of it;
/// where `from` has none, nothing changes.
Result<Done> copy_merge_key(krm::Object& object, const krm::Object& from);

/// What add_merge_key does, for every resource in *.yaml and *.yml files; other files, and files
/// that do not parse, stay as they are, and so does a file in which nothing was missing, byte for
/// byte.
Result<krm::Package> with_merge_keys(const krm::Package& package);

/// with_merge_keys, and Kptfiles too: as Porch clones. kInvalid for a Kptfile that does not parse.
Result<krm::Package> with_all_merge_keys(const krm::Package& package);

/// True for the files whose documents are resources: *.yaml, *.yml and Kptfile.
bool is_resource_file(std::string_view path);

}  // namespace portico::merge
