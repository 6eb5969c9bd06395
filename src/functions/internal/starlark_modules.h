// The modules that a program of the starlark function can load.
#pragma once

#include <string_view>

#include "base/result.h"
#include "starlark/program.h"

namespace portico::functions {

/// krmfn.star, encoding/yaml.star, the modules of starlark_lib, and stubs for modules that need the
/// network, files or a clock: stubs load, but their functions fail when called. No members for any
/// other name.
Result<starlark::Members> load_starlark_module(starlark::Heap& heap, std::string_view name);

/// The built-in Kubernetes kinds as the "definitions" of an OpenAPI document: by name
/// ("io.k8s.api.apps.v1.Deployment"), with group, version and kind, without their fields.
starlark::Value open_api(starlark::Heap& heap);

}  // namespace portico::functions
