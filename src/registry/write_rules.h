// What one write makes of one stored object: Kubernetes' rules for metadata. No I/O, no state.
#pragma once

#include <functional>
#include <string>

#include "base/result.h"
#include "json/value.h"
#include "registry/registry.h"

namespace portico::registry {

/// What the rules need from the world.
struct Stamp {
  std::string time;                  // RFC 3339, for creationTimestamp and deletionTimestamp
  std::function<std::string()> uid;  // a new one with each call
  std::function<std::string()> name_suffix;  // for generateName
};

struct Outcome {
  enum class Kind { kKeep, kPut, kRemove };
  Kind kind = Kind::kKeep;
  json::Value object;    // kPut: what to store, its resourceVersion still to be set; else as stored
  bool orphans = false;  // the owner references to the object are to be taken out of others
};

/// Deleting, and waiting for its dependents to go first.
bool waits_for_dependents(const json::Value& object);
/// The object without the finalizer of the foreground deletion.
json::Value without_foreground(const json::Value& object);

/// Whether what a write rests on holds, where `uid` is that of the object now; "" for none.
Result<Done> still(const Only& only, std::string_view uid);

/// Checks of a write that need nothing but the write: apiVersion, kind, metadata; that the object
/// can be printed and read back. kInvalid.
Result<Done> check_write(const Write& write);

/// `stored` is the object of that key or nullptr. Codes as Write in registry/registry.h describes.
Result<Outcome> apply_write(const json::Value* stored, const Write& write, const Stamp& stamp);

/// `object` with a name where it only has metadata.generateName, as a create needs it.
json::Value with_generated_name(const json::Value& object, const Stamp& stamp);

}  // namespace portico::registry
