// The objects that are affected when given objects change: the keys that a command waits for. Pure
// except for reading the registry.
#pragma once

#include <memory>
#include <set>

#include "base/result.h"
#include "krm/meta.h"
#include "registry/registry.h"

namespace portico::controllers {

/// Keeps its indexes between calls and updates them incrementally, for callers that ask repeatedly:
/// another answer costs one list of the sets, variants and Repositories in each namespace
/// concerned. Thread-safe; concurrent calls each use their own indexes, of which only a few are
/// kept.
class DependentsIndex {
 public:
  /// `registry` must outlive this object.
  explicit DependentsIndex(const registry::Registry& registry);
  ~DependentsIndex();

  /// The keys that controllers reconcile because of `asked`, as of now. These are the objects
  /// themselves, and
  /// - for a revision: its Repository, and the variants and sets of its package;
  /// - for a variant: its downstream Repository, its set, and whatever is made from its downstream
  ///   package;
  /// - for a set: its variants;
  /// - for a Repository, Secret, FunctionConfig or injected object: the objects that read it.
  /// A set that only counts a variant or may make variants in a Repository, and a Repository that
  /// only counts its content, are included but not followed further. The objects in `asked` need
  /// not exist any more.
  Result<std::set<krm::ObjectKey>> following(const std::set<krm::ObjectKey>& asked) const;

  /// The Repositories whose incoming changes matter to `asked`: those returned by following(),
  /// those that the variants returned by it read and write, and for each set in `asked` its
  /// upstream Repository and those its targets may use.
  Result<std::set<krm::ObjectKey>> repositories_for(const std::set<krm::ObjectKey>& asked) const;

 private:
  struct Kept;
  const registry::Registry& registry_;
  std::unique_ptr<Kept> kept_;
};

// The same for a single query.
Result<std::set<krm::ObjectKey>> following(const registry::Registry& registry,
                                           const std::set<krm::ObjectKey>& asked);
Result<std::set<krm::ObjectKey>> repositories_for(const registry::Registry& registry,
                                                  const std::set<krm::ObjectKey>& asked);

}  // namespace portico::controllers
