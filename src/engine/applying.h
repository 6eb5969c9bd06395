// Applies objects from files to a store, for `apply` and, as a rehearsal, for `plan`.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/changes.h"
#include "engine/context.h"
#include "engine/manifests.h"
#include "json/value.h"
#include "krm/meta.h"
#include "registry/registry.h"

namespace portico::engine {

/// The objects in the files, all of them admitted; warnings go to the terminal.
Result<std::vector<Wanted>> wanted_objects(const std::vector<std::string>& files, Context& context);
/// The same for objects that are already parsed.
Result<std::vector<Wanted>> wanted_of(const std::vector<Manifest>& manifests, Context& context);

struct Applied {
  json::Value before;  // null: it did not exist
  Result<json::Value> now;

  /// "created", "configured" or "unchanged"; only if `now` is not an error.
  const char* verb() const;
};

enum class Trial { kNo, kYes };  // kYes: Registry::dry_run() for each; nothing is stored

/// Applies each object on its own, in order. With `confirm_deletions`, the sets among them get the
/// annotation that confirms their held-back deletions for the resulting generation; kInvalid if
/// there is no set.
Result<std::vector<Applied>> apply_objects(registry::Registry& registry,
                                           const std::vector<Wanted>& wanted,
                                           bool confirm_deletions, Trial trial = Trial::kNo);

std::set<krm::ObjectKey> keys_of(const std::vector<Wanted>& wanted);

}  // namespace portico::engine
