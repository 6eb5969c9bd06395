// The registry query of a list, watch or collection delete. Pure.
#pragma once

#include "apiserver/call.h"
#include "kubeapi/selector.h"
#include "registry/registry.h"

namespace portico::apiserver {

/// Selects the objects that the call's path and filter name, as far as the registry can filter.
registry::Query query_of(const Call& call, const kubeapi::Filter& filter);

}  // namespace portico::apiserver
