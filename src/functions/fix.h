// fix: migrates packages of kpt versions before 1 to kpt.dev/v1.
#pragma once

#include "functions/function.h"

namespace portico::functions {

/// No config. Kptfiles v1alpha1: packageMetadata becomes info; upstream is split into upstream and
/// upstreamLock; setters in openAPI become an apply-setters with a new file setters.yaml; configs
/// with a function annotation become mutators and move to separate files next to the Kptfile;
/// inventory stays; everything else is dropped and reported on stderr. Kptfiles v1alpha2: setters
/// move from apply-setters' configMap to a new file. Setter comments in resources are rewritten
/// (internal/old_setters.h). Each step is a result. Other files and comments stay; new files take
/// an unused name. A missing Kptfile or one of an unknown version is a failure. Source: kpt catalog
/// fix.
Outcome fix(krm::ResourceList list);

}  // namespace portico::functions
