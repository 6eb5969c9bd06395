// What Porch means by an answer of 500: nearly everything that it refuses has that status, and the
// text alone says why. Pure.
//
// Source: answers of nephio-project/porch (v1alpha1), of which ../shared/conformance/porch-api has
// recordings.
#pragma once

#include "base/result.h"

namespace portico::porch {

/// The error with the code that its text stands for, without Kubernetes' "Internal error
/// occurred: "; one that is known by more than its text, or is not known, stays as it is.
Error sorted(Error error);

/// Whether the pipeline of a package did not go through; of a sorted error.
bool failed_to_render(const Error& error);

}  // namespace portico::porch
