// Recorded exchanges with Porch, replayed on our server in this process.
#pragma once

#include <filesystem>
#include <vector>

#include "conformance/suite.h"

namespace portico::conformance {

/// One result for each case file of the folders of ../shared/conformance/porch-api, whose README is
/// the specification: "create/init".
std::vector<CaseResult> replay_porch_api(const std::filesystem::path& data);

}  // namespace portico::conformance
