// A sync that is retried if its error may be transient.
#pragma once

#include "base/result.h"
#include "base/stop.h"
#include "json/value.h"
#include "packages/package_store.h"

namespace portico::engine {

/// Calls packages.sync(repository) up to three times, with the controllers' back-off, unless the
/// error is not transient (Remedy) or `stop` is true. Returns the last result.
Result<packages::Synced> sync_again(packages::Revisions& packages, const json::Value& repository,
                                    const Stop& stop);

}  // namespace portico::engine
