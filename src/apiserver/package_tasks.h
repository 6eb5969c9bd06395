// What a new package revision is to be made of: its task, as a request to Drafts.
#pragma once

#include "api/package_revision.h"
#include "drafts/request.h"
#include "json/value.h"
#include "kubeapi/refusal.h"
#include "registry/registry.h"

namespace portico::apiserver {

/// The request of a new draft for `revision`, which revision_create_causes() has let pass, in
/// namespace `ns`; without its actor. Without a task: an init, described as Porch does. `sent` is
/// the object as it is to be stored, of which the draft gets the metadata.
///
/// What a task names has to be there, and to be what the task needs; kInvalid else, in Porch's
/// words, with the field as place. A clone of a git address is one of the registered revision that
/// lies there.
Result<drafts::DraftRequest> draft_request(const registry::Registry& registry,
                                           const std::string& ns, const json::Value& sent,
                                           const api::PackageRevision& revision);

}  // namespace portico::apiserver
