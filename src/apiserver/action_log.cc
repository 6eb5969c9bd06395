#include "apiserver/action_log.h"

#include "api/kinds.h"
#include "apiserver/package_revisions.h"

namespace portico::apiserver {

using json::Value;

void log_action(Log* log, const Call& call, std::string_view what, const krm::ObjectKey& object) {
  if (log == nullptr) return;
  const packages::Actor actor = actor_of(call);
  if (actor.name == call.user.name)
    log->info(what,
              {{"object", object.text()}, {"user", call.user.name}, {"audit_id", call.audit_id}});
  else
    log->info(what, {{"object", object.text()},
                     {"user", call.user.name},
                     {"author", actor.name},
                     {"audit_id", call.audit_id}});
}

void log_written(Log* log, const Call& call, const Value& written, const Value& now) {
  const krm::ObjectKey key = krm::object_key(now);
  if (key.type.group != api::kConfigGroup || !call.info.subresource.empty()) return;
  if (written.is_null())
    log_action(log, call, "created", key);
  else if (krm::is_deleting(now) && krm::finalizers_of(written).empty())
    log_action(log, call, "deleted", key);
  else if (written["metadata"]["resourceVersion"] != now["metadata"]["resourceVersion"])
    log_action(log, call, "changed", key);
}

void log_deleted(Log* log, const Call& call, const Value& before, const Value& now) {
  const krm::ObjectKey key = krm::object_key(before);
  if (key.type.kind == "Event" || key.type.kind == "Lease") return;
  const bool waits = krm::is_deleting(now) && !krm::finalizers_of(now).empty();
  if (!waits)
    log_action(log, call, "deleted", key);
  else if (!krm::is_deleting(before))
    log_action(log, call, "deletion requested", key);
}

}  // namespace portico::apiserver
