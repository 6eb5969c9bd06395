// The interface of built-in KRM functions: pure functions from ResourceList to ResourceList.
#pragma once

#include <string>

#include "krm/resource_list.h"

namespace portico::functions {

/// The output of a function, as in the KRM function specification. On failure `list.items` are
/// those of the input, and the results give the reason.
struct Outcome {
  krm::ResourceList list;
  std::string stderr_text;
  int exit_code = 0;  // 0 or 1
};

/// Pure, deterministic and thread-safe. The input comes from untrusted packages: every config and
/// every item must give an Outcome, never a crash.
using Function = Outcome (*)(krm::ResourceList input);

}  // namespace portico::functions
