// What a kustomization gives: `apply -k`.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "engine/deadline.h"
#include "engine/manifests.h"

namespace portico::cli {

/// The objects of each folder with a kustomization, as the program `kustomize build` or `kubectl
/// kustomize` makes them, whichever is there; those without a namespace get `ns`. kNotFound where
/// neither program is; kInvalid with what the program says.
Result<std::vector<engine::Manifest>> read_kustomizations(const std::vector<std::string>& dirs,
                                                          const std::string& ns,
                                                          const engine::Deadline& deadline);

}  // namespace portico::cli
