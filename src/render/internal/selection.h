// selectors and exclude of a pipeline function.
#pragma once

#include "api/pipeline.h"
#include "krm/object.h"

namespace portico::render {

bool has_selection(const api::Function& function);

/// Every given field equal; entries of a list are alternatives; an empty selector matches
/// everything, an empty exclusion nothing (kpt).
bool is_selected(const api::Function& function, const krm::Object& object);

}  // namespace portico::render
