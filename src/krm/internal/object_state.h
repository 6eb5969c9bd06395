// The state that copies of an Object share.
#pragma once

#include <string>

#include "json/value.h"
#include "krm/object.h"
#include "yaml/document.h"

namespace portico::krm {

/// `before` and `after` are text in the object's file that belongs to no document: separators,
/// comments between two separators, a byte order mark.
struct Object::State {
  yaml::Document document;
  json::Value value;
  std::string before;
  std::string after;
  bool first_in_file = false;  // if so, `before` may begin without a separator
};

}  // namespace portico::krm
