#include "revisions/revisions.h"

#include "api/kinds.h"

namespace portico::revisions {

krm::ObjectKey revision_key(const std::string& ns, const std::string& name) {
  return {{std::string(api::kPorchGroup), std::string(api::kRevisionKind)}, ns, name};
}

}  // namespace portico::revisions
