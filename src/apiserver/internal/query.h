// What a call on many objects asks the registry for. Pure.
#pragma once

#include "apiserver/call.h"
#include "kubeapi/selector.h"
#include "registry/registry.h"

namespace portico::apiserver {

/// The objects that the call's path and filter name, as far as the registry can tell.
registry::Query query_of(const Call& call, const kubeapi::Filter& filter);

}  // namespace portico::apiserver
