// set-project-id: sets a Google Cloud project in setters and Config Connector resources.
#pragma once

#include "functions/function.h"

namespace portico::functions {

/// Config: data `project-id` of a ConfigMap. In every Kptfile, the first apply-setters gets the
/// setter `project-id`, in its configMap or in the file of its configPath; a pipeline without
/// apply-setters gets one. Resources of *.cnrm.cloud.google.com, except core.cnrm, get the
/// annotation cnrm.cloud.google.com/project-id if they lack it. Existing values stay. A missing
/// Kptfile and a configPath that names no file are failures. Source: kpt catalog set-project-id.
Outcome set_project_id(krm::ResourceList list);

}  // namespace portico::functions
