#include "engine/version.h"

#ifndef PORTICO_VERSION
#define PORTICO_VERSION "0.0.0"
#endif

namespace portico::engine {

std::string_view version() { return PORTICO_VERSION; }

}  // namespace portico::engine
