// Converts events between their two forms, of the core group and of events.k8s.io. Pure.
#pragma once

#include "json/value.h"

namespace portico::kubeapi {

/// The event in the core form (v1), in which it is stored; unchanged if it already has that form.
json::Value core_event(const json::Value& event);

/// The event in the events.k8s.io/v1 form.
json::Value new_event(const json::Value& event);

}  // namespace portico::kubeapi
