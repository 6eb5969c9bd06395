// Objects from files put into a store, as apply does and plan rehearses.
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

/// The objects of the files, all of them admitted; warnings go to the terminal.
Result<std::vector<Wanted>> wanted_objects(const std::vector<std::string>& files, Context& context);
/// The same of objects that have been read.
Result<std::vector<Wanted>> wanted_of(const std::vector<Manifest>& manifests, Context& context);

struct Applied {
  json::Value before;  // null: it was not there
  Result<json::Value> now;

  /// "created", "configured" or "unchanged"; of one that was stored.
  const char* verb() const;
};

enum class Trial { kNo, kYes };  // kYes: Registry::dry_run() of each; nothing is stored

/// Each on its own, in order. With `confirm_deletions` the sets among them get the annotation that
/// confirms what they hold back, for the generation that they have then; kInvalid where there is no
/// set.
Result<std::vector<Applied>> apply_objects(registry::Registry& registry,
                                           const std::vector<Wanted>& wanted,
                                           bool confirm_deletions, Trial trial = Trial::kNo);

std::set<krm::ObjectKey> keys_of(const std::vector<Wanted>& wanted);

}  // namespace portico::engine
