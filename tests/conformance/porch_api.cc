// ../shared/conformance/porch-api, replayed on Portico's server.
#include "conformance/internal/porch_replay.h"

namespace portico::conformance {

std::vector<CaseResult> run_porch_api(const std::filesystem::path& data) {
  return replay_porch_api(data);
}

}  // namespace portico::conformance
