// fn eval --save: adds the function that was run to the package's pipeline.
#pragma once

#include <string>

#include "api/pipeline.h"
#include "base/result.h"
#include "krm/package.h"

namespace portico::cli {

/// Adds `function` to the package's Kptfile: replaces a function in that list with the same image
/// (ignoring the tag) or program, otherwise appends it. Returns kpt's message. A package without a
/// Kptfile is not changed, and the message says so.
Result<std::string> save_function(krm::Package& package, const api::Function& function,
                                  bool validator);

}  // namespace portico::cli
