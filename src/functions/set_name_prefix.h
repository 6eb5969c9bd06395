// set-name-prefix: replaces a placeholder at the beginning of names with the package's name.
#pragma once

#include "functions/function.h"

namespace portico::functions {

/// Config: none, or a ConfigMap with data `prefix` (default: data.name of the package context) and
/// `oldPrefix` (default "packagename"). The name OLD becomes PREFIX, and OLD-x becomes PREFIX-x.
/// References (see internal/name_references.h) and depends-on annotations are updated. Local
/// configuration and ResourceGroups keep their names. With several package contexts, the outermost
/// package's is used. Unlike in the catalog, an invalid config is a failure, and no context is
/// needed if a prefix is given. Source: kpt catalog set-name-prefix.
Outcome set_name_prefix(krm::ResourceList list);

}  // namespace portico::functions
