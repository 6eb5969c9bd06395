// Validation of package revisions in the API, with Porch's messages, which clients match. Pure.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "api/package_revision.h"
#include "base/result.h"
#include "json/value.h"
#include "packages/lifecycle.h"

namespace portico::apiserver {

/// What is wrong with a new package revision, as sent and as decoded; `spec.repository` has already
/// been checked to exist.
std::vector<Cause> revision_create_causes(const json::Value& sent,
                                          const api::PackageRevision& revision);

/// Changes of `old` that an update of the main resource may not make: lifecycle transitions
/// reserved for the approval subresource, and changes of published content.
std::vector<Cause> revision_update_causes(const json::Value& old, const json::Value& wanted);

/// The same for the approval subresource.
std::vector<Cause> approval_causes(const json::Value& old, const json::Value& wanted);

/// The transition between two lifecycles that have passed the checks above; nullopt if they are
/// equal.
std::optional<packages::Transition> transition_between(std::string_view from, std::string_view to);

/// Whether the two differ in what a draft's Kptfile stores: spec.packageMetadata,
/// spec.readinessGates, status.conditions.
bool kptfile_differs(const json::Value& old, const json::Value& wanted);

/// `stored` with the client-owned metadata of `wanted`: labels, annotations, owner references,
/// finalizers, managedFields.
json::Value with_metadata_of(const json::Value& stored, const json::Value& wanted);

}  // namespace portico::apiserver
