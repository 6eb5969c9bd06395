// What happened to a package: the commits of git and the Events of its variant as one story.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "json/value.h"
#include "packages/package_store.h"
#include "registry/registry.h"

namespace portico::controllers {

/// One thing that happened to a package.
struct HistoryEntry {
  std::string when;      // RFC 3339
  std::string revision;  // "v2", "packagevariant-3 (Draft)", "(by hand)"; "" for an Event
  std::string who, what;
  std::string why;     // the decisions that the commit carries out, or the Event's message
  std::string commit;  // its first 8 digits; "" for an Event
};

/// The story of what `name` means (packages::package_named), newest first. Events tell only what
/// left no commit. kNotFound where there is neither a revision nor a variant. Reads git; safe from
/// any thread.
Result<std::vector<HistoryEntry>> history(const registry::Registry& registry,
                                          packages::Revisions& packages, const std::string& ns,
                                          const std::string& name);

/// As a JSON array of objects with the fields' names.
json::Value to_json(const std::vector<HistoryEntry>& entries);

}  // namespace portico::controllers
