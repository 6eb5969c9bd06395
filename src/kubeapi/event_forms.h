// Events have two forms, of the core group and of events.k8s.io, and are the same objects. Pure.
#pragma once

#include "json/value.h"

namespace portico::kubeapi {

/// An event in the form of the core group (v1), which is stored; one that has it as it is.
json::Value core_event(const json::Value& event);

/// The same in the form of events.k8s.io/v1.
json::Value new_event(const json::Value& event);

}  // namespace portico::kubeapi
