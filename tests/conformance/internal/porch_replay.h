// Replays recorded exchanges with Porch on Portico's server in this process.
#pragma once

#include <filesystem>
#include <vector>

#include "conformance/suite.h"

namespace portico::conformance {

/// One result, such as "create/init", for each case file in the folders of
/// ../shared/conformance/porch-api, whose README is the specification.
std::vector<CaseResult> replay_porch_api(const std::filesystem::path& data);

}  // namespace portico::conformance
