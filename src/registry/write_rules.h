// The effect of one write on one stored object: the Kubernetes rules for metadata. No I/O, no
// state.
#pragma once

#include <functional>
#include <string>

#include "base/result.h"
#include "json/value.h"
#include "registry/registry.h"

namespace portico::registry {

/// External inputs of the rules.
struct Stamp {
  std::string time;                  // RFC 3339, for creationTimestamp and deletionTimestamp
  std::function<std::string()> uid;  // a new one on each call
  std::function<std::string()> name_suffix;  // for generateName
};

struct Outcome {
  enum class Kind { kKeep, kPut, kRemove };
  Kind kind = Kind::kKeep;
  json::Value object;    // kPut: what to store, without its new resourceVersion; else as stored
  bool orphans = false;  // remove the owner references to the object from its dependents
};

/// Whether the object is deleting and waits for its dependents to be removed first.
bool waits_for_dependents(const json::Value& object);
/// The object without the foreground deletion finalizer.
json::Value without_foreground(const json::Value& object);

/// Checks the precondition; `uid` is the current uid of the other object, "" if it does not exist.
Result<Done> still(const Precondition& only, std::string_view uid);

/// Checks that need only the write: apiVersion, kind, metadata, and that the object can be
/// serialized and parsed back. kInvalid.
Result<Done> check_write(const Write& write);
/// Whether a resourceVersion that the object names has the form of ours, a number. Those of other
/// servers are opaque; Porch's, for one, are ids of commits. kInvalid.
Result<Done> check_version(const Write& write);

/// `stored` is the object with that key, or nullptr. Error codes as for Write in
/// registry/registry.h.
Result<Outcome> apply_write(const json::Value* stored, const Write& write, const Stamp& stamp);

/// `object` with a generated name if it has only metadata.generateName, as a create requires.
json::Value with_generated_name(const json::Value& object, const Stamp& stamp);

}  // namespace portico::registry
