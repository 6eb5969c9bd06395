// set-project-id: a Google Cloud project for a package's setters and Config Connector resources.
#pragma once

#include "functions/function.h"

namespace portico::functions {

/// Config: data `project-id` of a ConfigMap. In every Kptfile the first apply-setters that has no
/// setter `project-id` gets it, in its configMap or in the file of its configPath; a pipeline
/// without one gets an apply-setters of its own. Resources of *.cnrm.cloud.google.com, but
/// core.cnrm, get the annotation cnrm.cloud.google.com/project-id where they have none. A value
/// that is there stays. No Kptfile, and a configPath that names no file, are failures. Source: kpt
/// catalog set-project-id.
Outcome set_project_id(krm::ResourceList list);

}  // namespace portico::functions
