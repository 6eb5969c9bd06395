// What a built-in KRM function is: a pure map from a ResourceList to a ResourceList.
#pragma once

#include <string>

#include "krm/resource_list.h"

namespace portico::functions {

/// What a function leaves behind, as the function specification has it. On failure `list.items` are
/// those of the input and the results say why.
struct Outcome {
  krm::ResourceList list;
  std::string stderr_text;
  int exit_code = 0;  // 0 or 1
};

/// Pure and deterministic; safe from any thread. The input comes from packages that anybody may
/// have written: every config and every item gives an Outcome, never a crash.
using Function = Outcome (*)(krm::ResourceList input);

}  // namespace portico::functions
