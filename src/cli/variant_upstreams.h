// `get packagevariants -o wide`: which upstream each variant has, and which it could have.
#pragma once

#include <vector>

#include "base/result.h"
#include "cli/printer.h"
#include "json/value.h"
#include "registry/registry.h"

namespace portico::cli {

/// For each PackageVariant among the objects the upstream revision that its published revision was
/// made from, the one that its draft or proposal is made from, and the newest that is published:
/// "v2", or the workspace with the commit of what has no number; "-" where there is none.
Result<MoreColumns> upstream_columns(const registry::Registry& registry,
                                     const std::vector<json::Value>& objects);

}  // namespace portico::cli
