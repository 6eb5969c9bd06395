#include "controllers/events.h"

#include <algorithm>

#include "base/hash.h"
#include "base/secrets.h"
#include "base/shortened.h"
#include "krm/meta.h"

namespace portico::controllers {

using json::Value;

namespace {

// Equal for happenings that Kubernetes counts as one Event.
std::string event_name(const Value& object, const EventInfo& event_info) {
  constexpr std::size_t kHex = 16, kLongest = 253;
  const std::string digest =
      sha256_hex(fmt::format("{}\n{}\n{}\n{}", krm::uid_of(object), event_info.warning,
                             event_info.reason, event_info.message));
  const std::string_view name = krm::name_of(object).substr(0, kLongest - kHex - 1);
  return fmt::format("{}.{}", name, digest.substr(0, kHex));
}

Value counted(const Value& event, TimePoint now) {
  return event.with("count", event["count"].as_int() + 1).with("lastTimestamp", rfc3339(now));
}

// Events of the same second are ordered by their writes.
bool seen_before(const Value& a, const Value& b) {
  const std::string_view when = a["lastTimestamp"].as_string();
  if (when != b["lastTimestamp"].as_string()) return when < b["lastTimestamp"].as_string();
  const std::string_view one = a["metadata"]["resourceVersion"].as_string(),
                         other = b["metadata"]["resourceVersion"].as_string();
  return one.size() != other.size() ? one.size() < other.size() : one < other;
}

}  // namespace

krm::GroupKind event_kind() { return {"", "Event"}; }

Value event_of(const Value& object, const EventInfo& event_info, TimePoint now,
               const Value& before) {
  if (!before.is_null()) return counted(before, now);
  const std::string time = rfc3339(now);
  krm::OwnerReference owner;
  owner.api_version = object["apiVersion"].as_string();
  owner.kind = object["kind"].as_string();
  owner.name = krm::name_of(object);
  owner.uid = krm::uid_of(object);
  const Value event =
      Value::object({{"apiVersion", "v1"},
                     {"kind", "Event"},
                     {"metadata", Value::object({{"name", event_name(object, event_info)},
                                                 {"namespace", krm::namespace_of(object)}})},
                     {"involvedObject", Value::object({{"apiVersion", owner.api_version},
                                                       {"kind", owner.kind},
                                                       {"namespace", krm::namespace_of(object)},
                                                       {"name", owner.name},
                                                       {"uid", owner.uid}})},
                     {"type", event_info.warning ? "Warning" : "Normal"},
                     {"reason", event_info.reason},
                     {"message", event_info.message},
                     {"count", 1},
                     {"firstTimestamp", time},
                     {"lastTimestamp", time},
                     {"source", Value::object({{"component", "portico"}})},
                     {"reportingComponent", "portico"},
                     {"reportingInstance", ""}});
  return krm::with_owners(event, {owner});
}

Result<std::vector<Value>> all_events(const registry::Registry& registry, const std::string& ns) {
  PORTICO_TRY(registry::Listing all, registry.list({.type = event_kind(), .ns = ns}));
  std::stable_sort(all.objects.begin(), all.objects.end(), seen_before);
  return std::move(all.objects);
}

Result<std::vector<Value>> events_of(const registry::Registry& registry, const Value& object) {
  if (krm::uid_of(object).empty()) return std::vector<Value>();  // it is not stored
  PORTICO_TRY(registry::Listing all, registry.list({.type = event_kind(),
                                                    .ns = std::string(krm::namespace_of(object)),
                                                    .owner = std::string(krm::uid_of(object))}));
  std::stable_sort(all.objects.begin(), all.objects.end(), seen_before);
  return std::move(all.objects);
}

// In bytes: the longest note that Kubernetes accepts in an Event.
static constexpr std::size_t kLongestNote = 1024;

Result<std::vector<registry::Write>> recording(const registry::Registry& registry,
                                               const Value& object, const EventInfo& what,
                                               TimePoint now, bool expire) {
  const EventInfo event_info{what.warning, what.reason,
                             shortened(without_secrets(what.message), kLongestNote)};
  const registry::Write creation{registry::Verb::kCreate,
                                 event_of(object, event_info, now, Value())};
  if (expire) return std::vector{creation};
  PORTICO_TRY(const auto events, events_of(registry, object));
  const std::string name = event_name(object, event_info);
  std::vector<registry::Write> writes;
  for (const Value& each : events)
    if (krm::name_of(each) == name)
      return std::vector<registry::Write>{
          {registry::Verb::kUpdate, event_of(object, event_info, now, each)}};
  for (std::size_t i = 0; i + kMostEvents <= events.size(); ++i)
    writes.push_back({registry::Verb::kDelete, events[i]});
  writes.push_back(creation);
  return writes;
}

namespace {

// An Event of the same name records the same happening.
Result<Done> count_again(registry::Registry& registry, const Value& event, TimePoint now) {
  PORTICO_TRY(const Value before, registry.get(krm::object_key(event)));
  PORTICO_DO(registry.commit({{registry::Verb::kUpdate, counted(before, now)}}));
  return Done{};
}

}  // namespace

Result<Done> write_recorded(registry::Registry& registry,
                            const std::vector<registry::Write>& writes, TimePoint now) {
  const auto written = registry.commit_each(writes);
  for (std::size_t i = 0; i < written.size(); ++i) {
    if (written[i]) continue;
    Error error = written[i].error();
    const Value& object = writes[i].object;
    if (error.reason == Reason::kAlreadyExists && krm::group_kind(object) == event_kind()) {
      const auto again = count_again(registry, object, now);
      if (again) continue;
      error = again.error();
    }
    if (error.code != Code::kNotFound) return error;
  }
  return Done{};
}

}  // namespace portico::controllers
