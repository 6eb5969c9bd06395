// selectors and exclude of a pipeline function.
#pragma once

#include "api/pipeline.h"
#include "krm/object.h"

namespace portico::render {

bool has_selection(const api::Function& function);

/// All given fields must match; entries of a list are alternatives. As in kpt, an empty selector
/// matches everything, and an empty exclusion nothing.
bool is_selected(const api::Function& function, const krm::Object& object);

}  // namespace portico::render
