// fn eval --save: the function that was run becomes part of the package's pipeline.
#pragma once

#include <string>

#include "api/pipeline.h"
#include "base/result.h"
#include "krm/package.h"

namespace portico::cli {

/// Puts `function` into the package's Kptfile: in place of one of the same image (whatever its tag)
/// or program in that list, else at the end. Hands back kpt's line about it. A package without a
/// Kptfile stays as it is, which the line says.
Result<std::string> save_function(krm::Package& package, const api::Function& function,
                                  bool validator);

}  // namespace portico::cli
