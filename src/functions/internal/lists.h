// Visits the lists inside an object, with the comments on their lines.
#pragma once

#include <functional>

#include "krm/object.h"

namespace portico::functions {

/// Calls `visit` for every list that is a map member, in key order; `comment` is the comment on its
/// key's line.
void visit_lists(const krm::Object& object,
                 const std::function<void(const krm::Path& path, const json::Value& list,
                                          const std::string& comment)>& visit);

}  // namespace portico::functions
