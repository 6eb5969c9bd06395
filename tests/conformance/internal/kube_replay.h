// Recorded exchanges with a Kubernetes API server, replayed on ours in this process.
#pragma once

#include <filesystem>
#include <vector>

#include "conformance/suite.h"

namespace portico::conformance {

/// One result for each case file of a folder of ../shared/conformance/kube-api; the definitions
/// that cases name are in the folder `crds` beside it.
std::vector<CaseResult> replay_kube_api(const std::filesystem::path& data);

}  // namespace portico::conformance
