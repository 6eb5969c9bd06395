// The content of a package revision through PackageRevisionResources: its text files.
#pragma once

#include <memory>

#include "cluster/api.h"
#include "json/value.h"
#include "krm/package.h"
#include "krm/wanted_path.h"

namespace portico::porch {

/// kNotFound if there is no such revision.
Result<std::shared_ptr<const krm::Package>> read_resources(cluster::Api& api,
                                                           const json::Value& revision);

/// The files in `whole` that are wanted.
std::shared_ptr<const krm::Package> only_wanted(const krm::Package& whole,
                                                const krm::WantedPath& wanted);

/// Replaces all text files of a draft with `content`; the server renders it. Files that are not
/// text stay as they are. kConflict if the draft has changed since `revision`.
Result<json::Value> write_resources(cluster::Api& api, const json::Value& revision,
                                    const krm::Package& content);

}  // namespace portico::porch
