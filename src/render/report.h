// What a render shows: kpt's log lines, its results file and the status in the Kptfile.
#pragma once

#include <string>

#include "krm/object.h"
#include "render/render.h"

namespace portico::render {

/// What `kpt fn render` prints on stderr; with `summary` the final line too.
std::string log_text(const Rendered& rendered, bool summary = true);

/// The lines of one function, [RUNNING] and [PASS] or [FAIL]; `where` is ` on package "x"` or "".
std::string log_text(const FunctionRun& run, const std::string& where);

/// kpt's FunctionResultList (kpt.dev/v1), as YAML: one item for each function that ran.
std::string result_list(const Rendered& rendered);

/// `kptfile` with status.conditions and status.renderStatus set as kpt sets them, other conditions
/// kept, in the form that kpt gives it, but with its comments.
Result<krm::Object> with_status(const krm::Object& kptfile, const Rendered& rendered);

}  // namespace portico::render
