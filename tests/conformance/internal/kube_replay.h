// Replays recorded exchanges with a Kubernetes API server on Portico's server in this process.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "conformance/suite.h"

namespace portico::conformance {

/// One result for each case file in a folder of ../shared/conformance/kube-api; definitions are in
/// the folder `crds` next to it. Result names begin with `prefix`.
std::vector<CaseResult> replay_kube_api(const std::filesystem::path& data,
                                        std::string_view prefix = "");

}  // namespace portico::conformance
