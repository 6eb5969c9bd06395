// What follows from objects that somebody asked for: which keys a command waits for. Pure but for
// the registry that it reads.
#pragma once

#include <set>

#include "base/result.h"
#include "krm/meta.h"
#include "registry/registry.h"

namespace portico::controllers {

/// The keys that controllers look at because of `asked`, as things are now: the objects themselves;
/// of a revision its Repository and the variants and sets of its package; of a variant its
/// downstream Repository, the set that it belongs to, and what is made from its downstream package;
/// of a set its variants; of a Repository, Secret, FunctionConfig or injected object what reads it.
/// A set that only counts a variant, or has others in a Repository, is named, and these are not.
/// What `asked` names need not be there any more. The indexes are made anew: its cost grows with
/// the sets and variants of the namespaces that are asked about.
Result<std::set<krm::ObjectKey>> following(const registry::Registry& registry,
                                           const std::set<krm::ObjectKey>& asked);

/// The Repositories of which it matters for `asked` what came into them: those that follow, and
/// those that the variants that follow read and write, and of a set in `asked` those that its
/// variants would.
Result<std::set<krm::ObjectKey>> repositories_for(const registry::Registry& registry,
                                                  const std::set<krm::ObjectKey>& asked);

}  // namespace portico::controllers
