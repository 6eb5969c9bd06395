// Changes to rehearse and their outcome, as values that can be sent to a server.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "controllers/plan.h"
#include "json/value.h"
#include "krm/meta.h"

namespace portico::engine {

struct Wanted {
  std::string source;  // the file
  json::Value object;  // admitted
};

struct Changes {
  std::string ns;
  std::vector<Wanted> apply;
  bool confirm_deletions = false;
  std::string upstream, to;                                    // the arguments of move_upstream()
  std::vector<std::pair<krm::ObjectKey, std::string>> labels;  // key=value, or key-
  std::vector<json::Value> remove;                             // kind, namespace and name suffice
};

struct Rehearsed {
  /// Objects that changed: "created" or "configured", and the object afterwards.
  std::vector<std::pair<std::string, json::Value>> done;
  std::vector<Error> refused;                 // why an object is not stored
  std::vector<std::optional<Error>> removed;  // for each of Changes::remove, why it is not deleted
  controllers::Plan plan;
};

json::Value to_json(const Changes& changes);
Result<Changes> changes_from_json(const json::Value& value);
json::Value to_json(const Rehearsed& rehearsed);
Result<Rehearsed> rehearsed_from_json(const json::Value& value);

/// An object with only its identity: the inverse of krm::object_key().
json::Value reference_to(const krm::ObjectKey& key);

}  // namespace portico::engine
