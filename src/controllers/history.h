// The history of a package: its git commits and the Events of its variant in one list.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "json/value.h"
#include "packages/package_store.h"
#include "registry/registry.h"

namespace portico::controllers {

/// One entry in the history of a package.
struct HistoryEntry {
  std::string when;      // RFC 3339
  std::string revision;  // "v2", "packagevariant-3 (Draft)", "(by hand)"; "" for an Event
  std::string who, what;
  std::string why;     // the decisions that the commit carries out, or the Event's message
  std::string commit;  // its first 8 digits; "" for an Event
};

/// The history of the package that `name` refers to (packages::package_named), newest first.
/// Includes only Events for what left no commit. kNotFound if there is neither a revision nor a
/// variant. Reads git. Thread-safe.
Result<std::vector<HistoryEntry>> history(const registry::Registry& registry,
                                          packages::Revisions& packages, const std::string& ns,
                                          const std::string& name);

/// As a JSON array of objects, keyed by the names of the fields.
json::Value to_json(const std::vector<HistoryEntry>& entries);

}  // namespace portico::controllers
