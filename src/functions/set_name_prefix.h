// set-name-prefix: names that begin with a placeholder get the package's name instead.
#pragma once

#include "functions/function.h"

namespace portico::functions {

/// Config: none, or a ConfigMap with data `prefix` (default: data.name of the package context) and
/// `oldPrefix` (default "packagename"). The name OLD becomes PREFIX, OLD-x becomes PREFIX-x;
/// references (those of internal/name_references.h) and depends-on annotations follow. Local
/// configuration and ResourceGroups keep their names. Of several package contexts that of the
/// outermost package counts. Unlike in the catalog a wrong config is a failure, and no context is
/// needed where a prefix is given. Source: kpt catalog set-name-prefix.
Outcome set_name_prefix(krm::ResourceList list);

}  // namespace portico::functions
