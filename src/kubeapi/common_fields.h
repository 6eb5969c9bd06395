// The schema of the fields common to all objects. Pure.
#pragma once

#include "json/value.h"

namespace portico::kubeapi {

/// openAPIV3Schema of a kind with complete schemas for apiVersion, kind and metadata.
json::Value with_common_fields(const json::Value& schema);

}  // namespace portico::kubeapi
