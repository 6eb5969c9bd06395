// What a program of the starlark function can load.
#pragma once

#include <string_view>

#include "base/result.h"
#include "starlark/program.h"

namespace portico::functions {

/// krmfn.star and encoding/yaml.star, those of starlark_lib, and empty shells of what needs the
/// network, files or a clock: they load, and their functions fail when they are called. No members
/// for any other name.
Result<starlark::Members> load_starlark_module(starlark::Heap& heap, std::string_view name);

/// Kubernetes' own kinds as an OpenAPI document has them under "definitions": by name
/// ("io.k8s.api.apps.v1.Deployment"), with group, version and kind, without their fields.
starlark::Value open_api(starlark::Heap& heap);

}  // namespace portico::functions
