// The upgrade of a package that a person asks for.
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

/// The draft that brings `local`, a PackageRevision, to the published revision `upstream` of its
/// upstream package. Of a package that a PackageVariant makes it is a merge of the variant's
/// builds: with its context, pipeline and injected objects. Of any other the sources are merged, as
/// kpt does. The draft is nobody's but the person's.
Result<drafts::DraftRequest> upgrade(const registry::Registry& registry, const json::Value& local,
                                     const json::Value& upstream, const UpgradeWish& wish,
                                     const packages::Actor& actor);

/// A request that names a PackageVariant as its inputs (mutations->variant; drafts/wire.h), with
/// what the variant says now: its context, pipeline and injectors, and how they are told apart.
/// kNotFound where it is not there, or its upstream is not what the request starts from.
Result<drafts::DraftRequest> with_inputs(const registry::Registry& registry,
                                         drafts::DraftRequest request);

}  // namespace portico::controllers
