#include "packages/package_store.h"

#include "api/kinds.h"

namespace portico::packages {

krm::ObjectKey revision_key(const std::string& ns, const std::string& name) {
  return {{std::string(api::kPorchGroup), std::string(api::kRevisionKind)}, ns, name};
}

}  // namespace portico::packages
