// Hypothetical changes for a plan that are not in any file.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "json/value.h"
#include "krm/meta.h"
#include "registry/registry.h"

namespace portico::engine {

/// Makes every PackageVariantSet with upstream package `upstream` ("REPO/PACKAGE"), and every
/// PackageVariant of it that no set owns, request `to`: a revision ("3", "v3") or a workspace.
/// Returns the changed objects. kNotFound if there are none.
Result<std::vector<json::Value>> move_upstream(registry::Registry& registry, const std::string& ns,
                                               const std::string& upstream, const std::string& to);

/// `label` is "key=value", or "key-" to remove it.
Result<json::Value> set_label(registry::Registry& registry, const krm::ObjectKey& object,
                              const std::string& label);

}  // namespace portico::engine
