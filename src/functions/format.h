// format: puts fields in kyaml's order and quotes strings that could be misread.
#pragma once

#include "functions/function.h"

namespace portico::functions {

/// No config. Map members are put in kyaml's field order (name, namespace, apiVersion, kind,
/// metadata, ... then by name); containers of workloads are sorted by name, operations of webhook
/// rules by value. In the built-in Kubernetes kinds, a string that YAML 1.1 would not read as one
/// is put in double quotes, and a quoted number or boolean loses its quotes. The annotation
/// config.kubernetes.io/formatting with `none` leaves a resource alone; any value other than `none`
/// and `standard` is a failure. Comments move with their fields; blank lines and indentation stay.
/// Items without apiVersion and kind are left alone, as are items that their aliases keep from
/// being reordered; the latter give a warning. Source: kyaml's FormatFilter with schema.
Outcome format(krm::ResourceList list);

}  // namespace portico::functions
