// Reports of a render: kpt's log lines, its results file and the status in the Kptfile.
#pragma once

#include <string>

#include "krm/object.h"
#include "render/render.h"

namespace portico::render {

/// The stderr output of `kpt fn render`; `summary` adds the final line.
std::string log_text(const Rendered& rendered, bool summary = true);

/// The log lines of one function, [RUNNING] and [PASS] or [FAIL]; `where` is ` on package "x"` or
/// "".
std::string log_text(const FunctionRun& run, const std::string& where);

/// kpt's FunctionResultList (kpt.dev/v1) as YAML, with one item for each function that ran.
std::string result_list(const Rendered& rendered);

/// Sets status.conditions and status.renderStatus in `kptfile` like kpt. Keeps other conditions,
/// and comments, and formats the Kptfile like kpt.
Result<krm::Object> with_status(const krm::Object& kptfile, const Rendered& rendered);

}  // namespace portico::render
