// The address of a package's content: equal bytes, equal address.
#pragma once

#include <string>

#include "krm/package.h"

namespace portico::krm {

/// SHA-256, 64 lower-case hex digits, of every file's path, mode and bytes. The same on every
/// machine and in every version: it may be stored. Comments and layout count; see equal() for what
/// does without them.
std::string content_hash(const Package& package);

}  // namespace portico::krm
