// One look at a key, from the event that woke it to the commit that comes of it.
#pragma once

#include <string>

namespace portico::work {

struct Run {
  std::string id{};  // the field "run" of every line that is logged on its way; "" outside a pool
};

}  // namespace portico::work
