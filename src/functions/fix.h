// fix: packages of kpt's versions before 1 brought to kpt.dev/v1.
#pragma once

#include "functions/function.h"

namespace portico::functions {

/// No config. Kptfiles v1alpha1: packageMetadata becomes info, upstream is split in upstream and
/// upstreamLock, setters of openAPI become an apply-setters with a new file setters.yaml, configs
/// with a function annotation become mutators and move to files of their own beside the Kptfile;
/// inventory stays, the rest goes, which stderr says. Kptfiles v1alpha2: setters move from
/// apply-setters' configMap to a new file. In resources comments of setters are rewritten
/// (internal/old_setters.h). Each step is a result. Files and comments stay otherwise; the new
/// files take a name that is free. No Kptfile, or one of an unknown version, is a failure. Source:
/// kpt catalog fix.
Outcome fix(krm::ResourceList list);

}  // namespace portico::functions
