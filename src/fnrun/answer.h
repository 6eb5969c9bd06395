// Our built-in functions for other programs: a ResourceList's text in, one out.
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

/// Runs the built-in function that `image` names over the list. kNotFound where there is none,
/// kInvalid, with line and column, for a text that is no ResourceList. A function that fails is an
/// answer with another exit code than 0.
Result<Answer> answer(const std::string& image, const std::string& resource_list);

/// The same as the evaluator protocol has it: a function that fails is kInvalid with its results
/// and standard error.
Result<EvaluateReply> evaluate_builtin(const EvaluateRequest& request);

}  // namespace portico::fnrun
