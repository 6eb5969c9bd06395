// A sync that is tried again where what is wrong may pass by itself.
#pragma once

#include "base/result.h"
#include "base/stop.h"
#include "json/value.h"
#include "packages/package_store.h"

namespace portico::engine {

/// As packages.sync(repository), which is tried three times, with the back-off of the controllers:
/// unless it failed in a way that does not pass by itself (Mend), or it is time to `stop`. What it
/// said the last time.
Result<packages::Synced> sync_again(packages::Revisions& packages, const json::Value& repository,
                                    const Stop& stop);

}  // namespace portico::engine
