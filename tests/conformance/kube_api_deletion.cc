// ../shared/conformance/kube-api/deletion, replayed on Portico's server.
#include "conformance/internal/kube_replay.h"

namespace portico::conformance {

std::vector<CaseResult> run_kube_api_deletion(const std::filesystem::path& data) {
  return replay_kube_api(data);
}

}  // namespace portico::conformance
