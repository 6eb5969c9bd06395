// Commands that inspect a running server.
#pragma once

#include "base/result.h"
#include "cli/context.h"

namespace portico::cli {

struct DebugDumpOptions {};
Result<Exit> run_debug_dump(const DebugDumpOptions& options, Context& context);

}  // namespace portico::cli
