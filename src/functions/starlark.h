// starlark: a program of the package's own over its resources.
#pragma once

#include "functions/function.h"

namespace portico::functions {

/// Config: StarlarkRun (fn.kpt.dev/v1alpha1) with `source` and whatever `params` the program wants,
/// or a ConfigMap with `source` in its data. The program sees `ctx.resource_list` with `items` and
/// `functionConfig`; what `items` holds when it ends is the outcome. An item that it did not change
/// keeps its bytes, a changed one all that the change does not touch. What it prints is on stderr;
/// `fail`, a mistake in the program and a limit (steps, memory, calls) are one error result, a
/// mistake met while it ran also a traceback on stderr. Sources: kpt catalog starlark v0.4.3 and
/// v0.5.0; the language is that of go.starlark.net. docs/starlark.md says what a program can load.
Outcome starlark(krm::ResourceList list);

}  // namespace portico::functions
