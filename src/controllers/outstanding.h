// What is left to do for objects, for somebody who does not know the controllers that do it: by
// what the objects say. It holds for any number of processes that share the work.
#pragma once

#include <map>
#include <optional>
#include <set>

#include "base/result.h"
#include "base/time.h"
#include "controllers/decoded.h"
#include "controllers/following.h"
#include "controllers/set.h"
#include "krm/meta.h"
#include "registry/registry.h"
#include "variants/outstanding.h"

namespace portico::controllers {

/// Not safe from several threads.
class Outstanding {
 public:
  /// `registry` outlives it. `repositories` says that controllers of ours look after Repositories:
  /// others count nothing in their status.
  Outstanding(const registry::Registry& registry, bool repositories)
      : registry_(registry), repositories_(repositories), index_(registry) {}

  struct Key {
    variants::Left left = variants::Left::kNothing;
    /// What is decided of a variant or set, where that can be decided about.
    std::optional<variants::Decision> variant{};
    std::optional<variants::SetDecision> set{};
    /// Why a variant does not decode: its status does not tell.
    std::optional<Error> untold{};
  };
  /// Of `asked` and what follows from it (following.h); none: of every Repository, set and variant.
  Result<std::map<krm::ObjectKey, Key>> look(const std::set<krm::ObjectKey>& asked, TimePoint now);

 private:
  Result<Key> look_at(const krm::ObjectKey& key, TimePoint now);
  Result<Key> variant(const krm::ObjectKey& key, TimePoint now);
  Result<Key> set(const krm::ObjectKey& key);
  Result<Key> repository(const krm::ObjectKey& key, TimePoint now) const;
  Result<bool> is_orphaned(const api::PackageVariant& variant) const;

  const registry::Registry& registry_;
  const bool repositories_;
  const FollowingIndex index_;
  Caches caches_;
  SetMemory memory_;
};

}  // namespace portico::controllers
