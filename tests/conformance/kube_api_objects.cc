// ../shared/conformance/kube-api/objects, replayed on Portico's server.
#include "conformance/internal/kube_replay.h"

namespace portico::conformance {

std::vector<CaseResult> run_kube_api_objects(const std::filesystem::path& data) {
  return replay_kube_api(data);
}

}  // namespace portico::conformance
