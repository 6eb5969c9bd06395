// `explain KIND.FIELD`: documentation of kinds and their fields.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "cli/commands.h"
#include "registry/registry.h"

namespace portico::cli {

/// Explains a kind, or one of its fields: a kind of Portico, of Kubernetes, or of a definition in
/// the registry (null if none is open). nullopt if the name does not begin with a kind.
Result<std::optional<std::string>> explained_kind(const ExplainOptions& options,
                                                  const registry::Registry* registry);

/// kNotFound if the name is neither a kind nor a PackageVariant, with similar names.
Error nothing_to_explain(const std::string& name, const std::string& ns,
                         const registry::Registry& registry);

}  // namespace portico::cli
