// What follows from objects that somebody asked for: which keys a command waits for. Pure but for
// the registry that it reads.
#pragma once

#include <memory>
#include <set>

#include "base/result.h"
#include "krm/meta.h"
#include "registry/registry.h"

namespace portico::controllers {

/// For somebody who asks again and again: the indexes that an answer needs are kept, and brought up
/// to date by what has changed since, so that one more costs a list of the sets, variants and
/// Repositories of the namespaces that are asked about. Safe from any thread; of those who ask at
/// the same moment each has indexes of its own, of which few stay.
class FollowingIndex {
 public:
  /// `registry` outlives it.
  explicit FollowingIndex(const registry::Registry& registry);
  ~FollowingIndex();

  /// The keys that controllers look at because of `asked`, as things are now: the objects
  /// themselves; of a revision its Repository and the variants and sets of its package; of a
  /// variant its downstream Repository, the set that it belongs to, and what is made from its
  /// downstream package; of a set its variants; of a Repository, Secret, FunctionConfig or injected
  /// object what reads it. A set that only counts a variant, or has others in a Repository, is
  /// named, and these are not. What `asked` names need not be there any more.
  Result<std::set<krm::ObjectKey>> following(const std::set<krm::ObjectKey>& asked) const;

  /// The Repositories of which it matters for `asked` what came into them: those that follow, and
  /// those that the variants that follow read and write, and of a set in `asked` those that its
  /// variants would.
  Result<std::set<krm::ObjectKey>> repositories_for(const std::set<krm::ObjectKey>& asked) const;

 private:
  struct Kept;
  const registry::Registry& registry_;
  std::unique_ptr<Kept> kept_;
};

// The same for somebody who asks once.
Result<std::set<krm::ObjectKey>> following(const registry::Registry& registry,
                                           const std::set<krm::ObjectKey>& asked);
Result<std::set<krm::ObjectKey>> repositories_for(const registry::Registry& registry,
                                                  const std::set<krm::ObjectKey>& asked);

}  // namespace portico::controllers
