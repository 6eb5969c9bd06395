#include "resources/state.h"

#include "api/kinds.h"

namespace portico::resources {

using json::Value;

std::string condition_status(const Value& object, std::string_view type) {
  for (const Value& condition : object["status"]["conditions"].items())
    if (condition["type"].as_string() == type) return std::string(condition["status"].as_string());
  return "";
}

std::string state_of(const Value& object) {
  const krm::GroupKind kind = krm::group_kind(object);
  if (kind == api::revision_kind()) return std::string(object["spec"]["lifecycle"].as_string());
  if (kind.group != api::kConfigGroup) return "-";
  std::string ready, reason, message;
  for (const Value& condition : object["status"]["conditions"].items()) {
    const std::string_view type = condition["type"].as_string(),
                           status = condition["status"].as_string();
    if (type == "Stalled" && status == "True")
      return "Stalled: " + std::string(condition["message"].as_string());
    if (type == "Ready") {
      ready = status;
      reason = condition["reason"].as_string();
      message = condition["message"].as_string();
    }
  }
  if (ready == "True") return "Ready";
  if (ready.empty()) return "Pending";
  return reason + ": " + message;
}

}  // namespace portico::resources
