// What the fields of Kubernetes' own kinds are for, in words.
#pragma once

#include <string_view>

#include "json/value.h"

namespace portico::kubeapi {

/// A merge patch onto the schema of a kind: descriptions alone. An empty object where nothing is
/// said of the kind.
json::Value core_texts(std::string_view group, std::string_view kind);

}  // namespace portico::kubeapi
