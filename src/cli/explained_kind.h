// `explain KIND.FIELD`: what kinds and their fields are for.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "cli/commands.h"
#include "registry/registry.h"

namespace portico::cli {

/// What a kind, or a field of it, is for: of a kind of ours, of Kubernetes' own, or one that a
/// definition of the registry (null: none is open) defines. Nothing where the name does not begin
/// with a kind.
Result<std::optional<std::string>> explained_kind(const ExplainOptions& options,
                                                  const registry::Registry* registry);

/// kNotFound where the name is neither that nor a PackageVariant's: with what is like it.
Error nothing_to_explain(const std::string& name, const std::string& ns,
                         const registry::Registry& registry);

}  // namespace portico::cli
