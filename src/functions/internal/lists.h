// The lists inside an object, with the comments on their lines.
#pragma once

#include <functional>

#include "krm/object.h"

namespace portico::functions {

/// Calls `visit` for every list that is a member of a map, in order of keys; `comment` is that on
/// the line of its key.
void visit_lists(const krm::Object& object,
                 const std::function<void(const krm::Path& path, const json::Value& list,
                                          const std::string& comment)>& visit);

}  // namespace portico::functions
