// What every object has, in schemas. Pure.
#pragma once

#include "json/value.h"

namespace portico::kubeapi {

/// openAPIV3Schema of a kind with apiVersion, kind and metadata described down to the last field.
json::Value with_common_fields(const json::Value& schema);

}  // namespace portico::kubeapi
