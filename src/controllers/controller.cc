#include "controllers/controller.h"

#include "api/kinds.h"
#include "controllers/repository.h"

namespace portico::controllers {

using json::Value;

bool more_than_status(const registry::Event& event) {
  if (event.change != registry::Change::kModified) return true;
  const auto essence = [](const Value& object) {
    return object.without("status").without_at({"metadata", "resourceVersion"});
  };
  return essence(event.object) != essence(event.previous);
}

bool matters(const registry::Event& event) {
  if (more_than_status(event)) return true;
  const krm::GroupKind type = krm::group_kind(event.object);
  return type == api::revision_kind() ||
         (type == api::repository_kind() && was_read(event.object) != was_read(event.previous));
}

}  // namespace portico::controllers
