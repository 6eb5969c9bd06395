// What the controllers did about an object, for people: Events as Kubernetes keeps them. Pure but
// for what takes a registry.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "json/value.h"
#include "registry/registry.h"

namespace portico::controllers {

struct Happening {
  bool warning = false;
  std::string reason;   // "Approve": one word
  std::string message;  // one line
};

/// No more Events than these are kept of one object; the oldest go.
inline constexpr std::size_t kMostEvents = 10;

/// The Event of the first time, or `before`, that of the same happening, counted once more.
json::Value event_of(const json::Value& object, const Happening& happening, TimePoint now,
                     const json::Value& before);

/// The writes that record it. Events belong to the object: they go with it.
Result<std::vector<registry::Write>> recording(const registry::Registry& registry,
                                               const json::Value& object,
                                               const Happening& happening, TimePoint now);

/// The Events of a namespace ("": of all), oldest first.
Result<std::vector<json::Value>> all_events(const registry::Registry& registry,
                                            const std::string& ns);

/// The Events of an object, oldest first.
Result<std::vector<json::Value>> events_of(const registry::Registry& registry,
                                           const json::Value& object);

}  // namespace portico::controllers
