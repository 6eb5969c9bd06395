// Random identifiers.
#pragma once

#include <string>

namespace portico::apiserver {

/// A random UUID (version 4), from the system's random source.
std::string random_uuid();

}  // namespace portico::apiserver
