#include "controllers/status.h"

namespace portico::controllers {

using json::Value;

Result<Done> write_status(registry::Registry& registry, const Value& object, const Value& status) {
  if (object["status"] == status) return Done{};
  const Value changed = object.with("status", status).without_at({"metadata", "resourceVersion"});
  if (auto written = registry.commit({{registry::Verb::kUpdateStatus, changed}});
      !written && written.error().code != Code::kNotFound)
    return std::move(written).error();
  return Done{};
}

}  // namespace portico::controllers
