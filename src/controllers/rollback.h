// Back to an earlier version of a package: the request for a draft with its content.
#pragma once

#include <string>

#include "base/result.h"
#include "drafts/request.h"
#include "packages/package_store.h"
#include "registry/registry.h"

namespace portico::controllers {

struct Rollback {
  drafts::DraftRequest request;
  std::string to;       // the revision that is gone back to: its name
  std::string variant;  // the PackageVariant that owns the package, which is pinned; "" for none
};

/// `name` is a PackageVariant, or a revision of the package; `to` is "v3", "3", or the name of a
/// published revision of it. Without `workspace` the draft gets the next free one. Where a variant
/// owns the package the draft is the variant's, and pinned (api::Pin): what its inputs give now
/// does not come back by itself. kInvalid where what is published has that content already.
Result<Rollback> rollback(const registry::Registry& registry, const std::string& ns,
                          const std::string& name, const std::string& to,
                          const std::string& workspace, const packages::Actor& actor);

}  // namespace portico::controllers
