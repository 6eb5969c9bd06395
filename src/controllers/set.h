// The PackageVariantSet controller: arrows 2 to 7 of docs/life-of-a-variant.md.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "base/clock.h"
#include "base/guarded.h"
#include "base/result.h"
#include "controllers/decoded.h"
#include "controllers/observer.h"
#include "registry/registry.h"
#include "variants/set_decide.h"
#include "work/next_look.h"
#include "work/run.h"

namespace portico::controllers {

/// What is remembered of each set between two looks at it. Safe from any thread.
class SetMemory {
 public:
  /// The expressions, compiled once for each generation of the set.
  std::shared_ptr<const Result<variants::CompiledSet>> compiled(const api::PackageVariantSet& set);

  /// What the set's decision rests on has changed.
  void outdate(const krm::ObjectKey& key);
  /// Goes up with every outdate(): read before observing, handed to keep() after deciding.
  std::uint64_t version(const krm::ObjectKey& key) const;
  /// The last decision, while it holds: then only the status of the set's variants has changed, and
  /// counting them is all there is to do. Null where it has to be made anew.
  std::shared_ptr<const variants::SetDecision> decision(const krm::ObjectKey& key) const;
  /// For a decision that asks for nothing to be done.
  void keep(const krm::ObjectKey& key, std::uint64_t version, variants::SetDecision decision);

  void forget(const krm::ObjectKey& key);

 private:
  const Result<variants::ExpressionLanguage> language_ = variants::ExpressionLanguage::make();
  struct Entry {
    std::string uid;
    std::int64_t generation = 0;
    std::shared_ptr<const Result<variants::CompiledSet>> compiled;
    std::uint64_t version = 0;
    std::shared_ptr<const variants::SetDecision> decision;
  };
  Guarded<std::map<krm::ObjectKey, Entry>> entries_;
};

/// What carrying out the set's actions writes, in their order.
std::vector<registry::Write> writes_of(const std::vector<variants::SetAction>& actions);

/// One set. `observer` may be null. Its variants are written together; what failed of one is in the
/// status and the error, the others are done. Where the set, one of its variants or an upstream
/// revision does not decode, the status says so.
Result<work::NextLook> reconcile_set(const krm::ObjectKey& key, registry::Registry& registry,
                                     Caches& caches, SetMemory& memory, const Clock& clock,
                                     Observer* observer = nullptr, const work::Run& run = {});

}  // namespace portico::controllers
