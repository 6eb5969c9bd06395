// Runs built-in functions for other programs: ResourceList text in, ResourceList text out.
#pragma once

#include <string>

#include "base/result.h"
#include "fnrun/evaluator.h"

namespace portico::fnrun {

struct Answer {
  std::string resource_list;  // YAML, with the results
  std::string stderr_text;
  int exit_code = 0;
};

/// Runs the built-in function for `image` on the list. kNotFound if there is none; kInvalid, with
/// line and column, if the text is not a ResourceList. A failed function is an Answer with a
/// nonzero exit code.
Result<Answer> answer(const std::string& image, const std::string& resource_list);

/// Like answer(), for the evaluator protocol: a failed function is kInvalid with its results and
/// standard error.
Result<EvaluateReply> evaluate_builtin(const EvaluateRequest& request);

}  // namespace portico::fnrun
