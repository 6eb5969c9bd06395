// starlark: runs a program from the package on the package's resources.
#pragma once

#include "functions/function.h"

namespace portico::functions {

/// Config: StarlarkRun (fn.kpt.dev/v1alpha1) with `source` and any `params` that the program needs,
/// or a ConfigMap with `source` in its data. The program sees `ctx.resource_list` with `items` and
/// `functionConfig`; the outcome is the content of `items` when it ends. Unchanged items keep their
/// bytes; changed items keep everything that the change does not touch. Printed text goes to
/// stderr. `fail`, an error in the program and an exceeded limit (steps, memory, calls) each give
/// one error result; a runtime error also puts a traceback on stderr. Sources: kpt catalog starlark
/// v0.4.3 and v0.5.0; the language is that of go.starlark.net. docs/starlark.md lists the modules
/// to load.
Outcome starlark(krm::ResourceList list);

}  // namespace portico::functions
