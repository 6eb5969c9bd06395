// The work left for objects, derived from the objects alone, for callers outside the process whose
// controllers do it. Correct for any number of processes that share the work.
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
#include "variants/work_left.h"

namespace portico::controllers {

/// Not thread-safe.
class PendingWork {
 public:
  /// `registry` must outlive this object. `repositories`: whether Portico's controllers manage the
  /// Repositories; other controllers do not count packages in their status.
  PendingWork(const registry::Registry& registry, bool repositories)
      : registry_(registry), repositories_(repositories), index_(registry) {}

  struct Key {
    variants::WorkLeft left = variants::WorkLeft::kNothing;
    /// The decision for a variant or set, if one can be made.
    std::optional<variants::Decision> variant{};
    std::optional<variants::SetDecision> set{};
    /// Why a variant does not decode, if its status does not say so.
    std::optional<Error> untold{};
  };
  /// For `asked` and the objects they affect (following.h); if empty, for every Repository, set and
  /// variant.
  Result<std::map<krm::ObjectKey, Key>> look(const std::set<krm::ObjectKey>& asked, TimePoint now);

 private:
  Result<Key> look_at(const krm::ObjectKey& key, TimePoint now);
  Result<Key> variant(const krm::ObjectKey& key, TimePoint now);
  Result<Key> set(const krm::ObjectKey& key);
  Result<Key> repository(const krm::ObjectKey& key, TimePoint now) const;
  Result<bool> is_orphaned(const api::PackageVariant& variant) const;

  const registry::Registry& registry_;
  const bool repositories_;
  const DependentsIndex index_;
  Caches caches_;
  SetMemory memory_;
};

}  // namespace portico::controllers
