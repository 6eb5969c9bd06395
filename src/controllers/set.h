// The PackageVariantSet controller: arrows 2 to 7 of docs/life-of-a-variant.md.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "base/clock.h"
#include "base/guarded.h"
#include "base/result.h"
#include "controllers/decoded.h"
#include "store/registry.h"
#include "variants/set_decide.h"

namespace portico::controllers {

/// The expressions of each set, compiled once for each generation of it. Safe from any thread.
class CompiledSets {
 public:
  std::shared_ptr<const Result<variants::CompiledSet>> of(const api::PackageVariantSet& set);
  void forget(const krm::ObjectKey& key);

 private:
  const Result<variants::ExpressionLanguage> language_ = variants::ExpressionLanguage::make();
  struct Entry {
    std::string uid;
    std::int64_t generation = 0;
    std::shared_ptr<const Result<variants::CompiledSet>> compiled;
  };
  Guarded<std::map<krm::ObjectKey, Entry>> entries_;
};

/// What carrying out the set's actions writes, in their order.
std::vector<store::Write> writes_of(const std::vector<variants::SetAction>& actions);

/// One set. Its variants are written together; what failed of one is in the status and the error,
/// the others are done.
Result<Done> reconcile_set(const krm::ObjectKey& key, store::Registry& registry, Caches& caches,
                           CompiledSets& compiled, const Clock& clock);

}  // namespace portico::controllers
