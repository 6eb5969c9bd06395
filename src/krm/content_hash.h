// A hash of a package's content: equal bytes, equal hash.
#pragma once

#include <string>

#include "krm/package.h"

namespace portico::krm {

/// SHA-256, as 64 lower-case hex digits, of the path, mode and bytes of every file. Identical on
/// every machine and in every version, so it may be stored. Comments and layout count; see equal()
/// for a comparison that ignores them.
std::string content_hash(const Package& package);

}  // namespace portico::krm
