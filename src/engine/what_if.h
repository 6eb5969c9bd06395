// Changes that nobody has written into a file yet: what a plan can be asked about.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "json/value.h"
#include "krm/meta.h"
#include "registry/registry.h"

namespace portico::engine {

/// Every PackageVariantSet of the package `upstream` ("REPO/PACKAGE"), and every PackageVariant of
/// it that no set owns, is made to ask for `to`: a revision ("3", "v3") or a workspace. What was
/// changed. kNotFound where nothing is made from that package.
Result<std::vector<json::Value>> move_upstream(registry::Registry& registry, const std::string& ns,
                                               const std::string& upstream, const std::string& to);

/// `label` is "key=value", or "key-" to take it away.
Result<json::Value> set_label(registry::Registry& registry, const krm::ObjectKey& object,
                              const std::string& label);

}  // namespace portico::engine
