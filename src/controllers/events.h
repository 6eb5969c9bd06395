// Kubernetes Events that record what the controllers did to an object. Pure except for the
// functions that take a registry.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "json/value.h"
#include "krm/meta.h"
#include "registry/registry.h"

namespace portico::controllers {

struct EventInfo {
  bool warning = false;
  std::string reason;   // "Approve": one word
  std::string message;  // one line
};

krm::GroupKind event_kind();

/// At most this many Events are kept per object, unless they expire; the oldest are deleted.
inline constexpr std::size_t kMostEvents = 10;

/// The Event for a first occurrence; or `before`, the Event of an identical happening, with its
/// count increased by one.
json::Value event_of(const json::Value& object, const EventInfo& event_info, TimePoint now,
                     const json::Value& before);

/// The writes that record the happening, for write_recorded(). The object owns its Events, so they
/// are deleted with it. `expire`: Events expire by themselves; they are not read.
Result<std::vector<registry::Write>> recording(const registry::Registry& registry,
                                               const json::Value& object,
                                               const EventInfo& event_info, TimePoint now,
                                               bool expire);

/// Applies each write on its own. If an Event to be created exists already, its count is increased.
/// What was deleted meanwhile is left out; any other failure is returned.
Result<Done> write_recorded(registry::Registry& registry,
                            const std::vector<registry::Write>& writes, TimePoint now);

/// The Events of a namespace ("": all namespaces), oldest first.
Result<std::vector<json::Value>> all_events(const registry::Registry& registry,
                                            const std::string& ns);

/// The Events of an object, oldest first.
Result<std::vector<json::Value>> events_of(const registry::Registry& registry,
                                           const json::Value& object);

}  // namespace portico::controllers
