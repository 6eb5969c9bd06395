// Descriptions of the fields of Kubernetes' own kinds.
#pragma once

#include <string_view>

#include "json/value.h"

namespace portico::kubeapi {

/// A merge patch for the kind's schema that adds only descriptions. An empty object if there are
/// none for the kind.
json::Value core_texts(std::string_view group, std::string_view kind);

}  // namespace portico::kubeapi
