// Upgrades of a package that a user requests.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "drafts/request.h"
#include "json/value.h"
#include "packages/package_store.h"
#include "registry/registry.h"

namespace portico::controllers {

struct UpgradeWish {
  std::string workspace;                              // of the draft
  std::string strategy;                               // "": the variant's, else resource-merge
  std::optional<merge::OnConflict> on_conflict = {};  // nullopt: the variant's, else takeUpstream
};

/// The request for a draft that brings `local`, a PackageRevision, to the published revision
/// `upstream` of its upstream package. If a PackageVariant makes the package from that upstream,
/// the variant's builds are merged, with its context, pipeline and injected objects. Otherwise the
/// sources are merged, as kpt does. The draft belongs to the user, not to a variant.
Result<drafts::DraftRequest> upgrade(const registry::Registry& registry, const json::Value& local,
                                     const json::Value& upstream, const UpgradeWish& wish,
                                     const packages::Actor& actor);

/// Completes a request that names a PackageVariant as its inputs (mutations->variant;
/// drafts/wire.h) with the variant's current context, pipeline and injectors, and with the hash of
/// these inputs. kNotFound if the variant does not exist, or the request's upstream revision is not
/// one of the variant's upstream package.
Result<drafts::DraftRequest> with_inputs(const registry::Registry& registry,
                                         drafts::DraftRequest request);

}  // namespace portico::controllers
