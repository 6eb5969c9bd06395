// Rolls a package back to an earlier version: the request for a draft with that version's content.
#pragma once

#include <string>

#include "base/result.h"
#include "drafts/request.h"
#include "packages/package_store.h"
#include "registry/registry.h"

namespace portico::controllers {

struct Rollback {
  drafts::DraftRequest request;
  std::string to;       // the name of the revision to roll back to
  std::string variant;  // the PackageVariant that owns the package, which is pinned; "" for none
};

/// `name` is a PackageVariant or a revision of the package. `to` is "v3", "3", or the name of a
/// published revision of the package. Without `workspace` the draft gets the next free one. If a
/// variant owns the package, the draft belongs to the variant and is pinned (api::Pin), so that the
/// content of the variant's current inputs does not return by itself. kInvalid if the published
/// revision already has that content, or if the server of the package revisions does not report
/// their trees, as Porch does not.
Result<Rollback> rollback(const registry::Registry& registry, const std::string& ns,
                          const std::string& name, const std::string& to,
                          const std::string& workspace, const packages::Actor& actor);

}  // namespace portico::controllers
