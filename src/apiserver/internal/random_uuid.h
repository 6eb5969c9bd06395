// Names for what has none.
#pragma once

#include <string>

namespace portico::apiserver {

/// A random UUID (version 4), of the system's random bits.
std::string random_uuid();

}  // namespace portico::apiserver
