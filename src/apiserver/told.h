// What people do through the API, for the log: a line for each thing.
#pragma once

#include <string_view>

#include "apiserver/call.h"
#include "base/log.h"
#include "krm/meta.h"

namespace portico::apiserver {

/// One line: `what` ("approved", say) was done to the object by the user of the call, and the
/// commit's author where that is somebody else. `log` may be null.
void tell(Log* log, const Call& call, std::string_view what, const krm::ObjectKey& object);

/// That an object was created, changed, or went with its last finalizer: of the kinds that the
/// controllers work on, where anything but its status is different from before. `written` took the
/// place of the version that it names; null of a new object.
void tell_written(Log* log, const Call& call, const json::Value& written, const json::Value& now);
/// That an object was deleted, or is to be deleted as soon as its finalizers allow it: of any kind
/// but those that programs write all the time.
void tell_deleted(Log* log, const Call& call, const json::Value& before, const json::Value& now);

}  // namespace portico::apiserver
