#include "controllers/controller.h"

#include "api/kinds.h"
#include "controllers/repository.h"

namespace portico::controllers {

using json::Value;

namespace {

std::string_view ready(const Value& object) {
  for (const Value& condition : object["status"]["conditions"].items())
    if (condition["type"].as_string() == api::kReady) return condition["status"].as_string();
  return {};
}

bool is_ready_again(const registry::Event& event) {
  return ready(event.previous) == "False" && ready(event.object) == "True";
}

}  // namespace

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
         (type == api::repository_kind() &&
          (was_read(event.object) != was_read(event.previous) || is_ready_again(event)));
}

}  // namespace portico::controllers
