// format: fields in the usual order, and texts in quotes that would be read as something else.
#pragma once

#include "functions/function.h"

namespace portico::functions {

/// No config. Members of maps come in kyaml's order of fields (name, namespace, apiVersion, kind,
/// metadata, ... then by name); containers of workloads are sorted by name, operations of webhook
/// rules by value. Of Kubernetes' own kinds a text that YAML 1.1 would not read as a string gets
/// double quotes, a number or boolean in quotes loses them. The annotation
/// config.kubernetes.io/formatting with `none` leaves a resource alone; any value but `none` and
/// `standard` is a failure. Comments go along; blank lines and indentation stay. What has no
/// apiVersion and kind, and what its aliases keep as it is, is left alone, the latter with a
/// warning. Source: kyaml's FormatFilter with schema.
Outcome format(krm::ResourceList list);

}  // namespace portico::functions
