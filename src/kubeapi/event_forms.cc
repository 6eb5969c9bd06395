#include "kubeapi/event_forms.h"

#include <string_view>

namespace portico::kubeapi {

using json::Value;

namespace {

struct Renamed {
  std::string_view core, fresh;
};
constexpr Renamed kFields[] = {
    {"count", "deprecatedCount"},
    {"firstTimestamp", "deprecatedFirstTimestamp"},
    {"involvedObject", "regarding"},
    {"lastTimestamp", "deprecatedLastTimestamp"},
    {"message", "note"},
    {"reportingComponent", "reportingController"},
    {"source", "deprecatedSource"},
};

Value renamed(const Value& event, std::string_view api_version,
              std::string_view (*from)(const Renamed&), std::string_view (*to)(const Renamed&)) {
  if (event["apiVersion"].as_string() == api_version) return event;
  Value out = event.with("apiVersion", api_version);
  for (const Renamed& field : kFields)
    if (const Value* value = event.find(from(field)))
      out = out.without(from(field)).with(to(field), *value);
  return out;
}

std::string_view core(const Renamed& field) { return field.core; }
std::string_view fresh(const Renamed& field) { return field.fresh; }

}  // namespace

Value core_event(const Value& event) { return renamed(event, "v1", fresh, core); }

Value new_event(const Value& event) { return renamed(event, "events.k8s.io/v1", core, fresh); }

}  // namespace portico::kubeapi
