// `get packagevariants -o wide`: the upstream that each variant has, and the newest available.
#pragma once

#include <vector>

#include "base/result.h"
#include "cli/printer.h"
#include "json/value.h"
#include "registry/registry.h"

namespace portico::cli {

/// For each PackageVariant in `objects`: the upstream revision of its published revision, that of
/// its draft or proposal, and the newest published one. "v2", or the workspace with the commit if
/// there is no number; "-" if there is none.
Result<MoreColumns> upstream_columns(const registry::Registry& registry,
                                     const std::vector<json::Value>& objects);

}  // namespace portico::cli
