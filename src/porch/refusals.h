// The meaning of Porch's responses with status 500: Porch reports nearly every rejection that way,
// and only the text states the reason. Pure.
//
// Source: responses of nephio-project/porch (v1alpha1), recorded in
// ../shared/conformance/porch-api.
#pragma once

#include "base/result.h"

namespace portico::porch {

/// The error with the code that its text stands for, without the prefix that Kubernetes adds
/// ("Internal error occurred: "). Unchanged if it has a specific reason or an unknown text.
Error sorted(Error error);

/// Whether the pipeline of a package failed; for a sorted() error.
bool failed_to_render(const Error& error);

}  // namespace portico::porch
