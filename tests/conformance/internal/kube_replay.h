// Recorded exchanges with a Kubernetes API server, replayed on ours in this process.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "conformance/suite.h"

namespace portico::conformance {

/// One result for each case file of a folder of ../shared/conformance/kube-api; the definitions
/// that cases name are in the folder `crds` beside it. Names of results begin with `prefix`.
std::vector<CaseResult> replay_kube_api(const std::filesystem::path& data,
                                        std::string_view prefix = "");

}  // namespace portico::conformance
