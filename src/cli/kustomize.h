// Builds kustomizations for `apply -k`.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "engine/deadline.h"
#include "engine/manifests.h"

namespace portico::cli {

/// The objects of each folder with a kustomization, built by `kustomize build` or `kubectl
/// kustomize`, whichever is installed; objects without a namespace get `ns`. Returns kNotFound if
/// neither program exists, and kInvalid with the program's message.
Result<std::vector<engine::Manifest>> read_kustomizations(const std::vector<std::string>& dirs,
                                                          const std::string& ns,
                                                          const engine::Deadline& deadline);

}  // namespace portico::cli
