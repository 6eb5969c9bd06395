// The content of a package revision as PackageRevisionResources have it: its text files.
#pragma once

#include <memory>

#include "cluster/api.h"
#include "json/value.h"
#include "krm/package.h"
#include "krm/wanted_path.h"

namespace portico::porch {

/// kNotFound where there is no such revision.
Result<std::shared_ptr<const krm::Package>> read_resources(cluster::Api& api,
                                                           const json::Value& revision);

/// Those of its files that somebody wants.
std::shared_ptr<const krm::Package> only_wanted(const krm::Package& whole,
                                                const krm::WantedPath& wanted);

/// Puts `content` in the place of all text files of a draft; the server renders it. Files that are
/// no text stay as they are. kConflict where the draft is no longer what `revision` says.
Result<json::Value> write_resources(cluster::Api& api, const json::Value& revision,
                                    const krm::Package& content);

}  // namespace portico::porch
