#include "registry/no_object.h"

namespace portico::registry {

Error no_object(const krm::ObjectKey& key) {
  if (key.ns.empty()) return not_found("{} \"{}\" not found", key.type.kind, key.name);
  return not_found("{} \"{}\" not found in namespace \"{}\"", key.type.kind, key.name, key.ns);
}

}  // namespace portico::registry
