// Converts the task of a new package revision into a request to Drafts.
#pragma once

#include "api/package_revision.h"
#include "drafts/request.h"
#include "json/value.h"
#include "kubeapi/status_error.h"
#include "registry/registry.h"

namespace portico::apiserver {

/// The request for the new draft of `revision` in namespace `ns`, without its actor. `revision` has
/// passed revision_create_causes(). Without a task, it is an init with Porch's default description.
/// `sent` is the object to be stored, from which the draft gets its metadata.
///
/// Everything a task names has to exist and be suitable for the task; otherwise kInvalid with
/// Porch's message and the field as place. A clone of a git address is resolved to the registered
/// revision at that address.
Result<drafts::DraftRequest> draft_request(const registry::Registry& registry,
                                           const std::string& ns, const json::Value& sent,
                                           const api::PackageRevision& revision);

}  // namespace portico::apiserver
