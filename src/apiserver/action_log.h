// Logs what users do through the API, one line per action.
#pragma once

#include <string_view>

#include "apiserver/call.h"
#include "base/log.h"
#include "krm/meta.h"

namespace portico::apiserver {

/// Logs that the user of the call did `what` ("approved", say) to the object, with the id of the
/// request; also logs the commit author if that is another identity. `log` may be null.
void log_action(Log* log, const Call& call, std::string_view what, const krm::ObjectKey& object);

/// Logs that an object was created, changed, or removed with its last finalizer. Only for kinds
/// that the controllers work on, and only if more than the status changed. `written` is what was
/// sent to replace the version that it names; null for a new object.
void log_written(Log* log, const Call& call, const json::Value& written, const json::Value& now);
/// Logs that an object was deleted, or will be once its finalizers are gone. For all kinds except
/// those that programs write continually.
void log_deleted(Log* log, const Call& call, const json::Value& before, const json::Value& now);

}  // namespace portico::apiserver
