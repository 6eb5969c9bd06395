// What the API of package revisions refuses, in Porch's words, which clients look for. Pure.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "api/package_revision.h"
#include "base/result.h"
#include "json/value.h"
#include "packages/lifecycle.h"

namespace portico::apiserver {

/// What is wrong with a new package revision, as it was sent and decoded; `spec.repository` is
/// known to be there.
std::vector<Cause> revision_create_causes(const json::Value& sent,
                                          const api::PackageRevision& revision);

/// What may not become of `old` by an update of the resource itself: the lifecycle that only an
/// approval gives, a published content.
std::vector<Cause> revision_update_causes(const json::Value& old, const json::Value& wanted);

/// The same of the subresource approval.
std::vector<Cause> approval_causes(const json::Value& old, const json::Value& wanted);

/// What brings a package revision from one lifecycle to the other, both of which the rules above
/// have let pass; nothing where they are the same.
std::optional<packages::Transition> transition_between(std::string_view from, std::string_view to);

/// Whether the two say different things of what a draft's Kptfile holds: spec.packageMetadata,
/// spec.readinessGates, status.conditions.
bool kptfile_differs(const json::Value& old, const json::Value& wanted);

/// `stored` with those metadata of `wanted` that are the client's: labels, annotations, owners,
/// finalizers, managers of fields.
json::Value with_metadata_of(const json::Value& stored, const json::Value& wanted);

}  // namespace portico::apiserver
