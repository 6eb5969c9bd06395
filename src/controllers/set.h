// The PackageVariantSet controller: arrows 2 to 7 of docs/life-of-a-variant.md.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>

#include "base/clock.h"
#include "base/guarded.h"
#include "base/result.h"
#include "controllers/decoded.h"
#include "controllers/observer.h"
#include "controllers/status_throttle.h"
#include "registry/registry.h"
#include "variants/set_decide.h"
#include "work/next_reconcile.h"
#include "work/run.h"

namespace portico::controllers {

/// State kept for each set between two reconciles. Thread-safe.
class SetMemory {
 public:
  /// The set's expressions, compiled once per generation.
  std::shared_ptr<const Result<variants::CompiledSet>> compiled(const api::PackageVariantSet& set);

  /// The inputs of the set's decision have changed.
  void outdate(const krm::ObjectKey& key);
  /// Incremented by every outdate(). Read it before observing, and pass it to keep() after
  /// deciding.
  std::uint64_t version(const krm::ObjectKey& key) const;
  /// The last decision, while it is valid: since then only the status of the set's variants has
  /// changed, so counting them is all that is left to do. Null if a new decision is needed.
  std::shared_ptr<const variants::SetDecision> decision(const krm::ObjectKey& key) const;
  /// Stores a decision that has no actions, unless outdate() was called since `version` was read.
  void keep(const krm::ObjectKey& key, std::uint64_t version, variants::SetDecision decision);

  /// Of the counts of a set's variants.
  StatusThrottle& throttle() { return throttle_; }

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
  StatusThrottle throttle_;
};

/// The writes that carry out the set's actions, in order.
std::vector<registry::Write> writes_of(std::span<const variants::SetAction> actions);

/// Reconciles one set. `observer` may be null. The variants are written together; failures of
/// individual variants are in the status and the error, and the others are written. While thousands
/// are written, the status tells every 5 s how far they are; if the set is changed, suspended or
/// deleted meanwhile, the rest is left to the reconcile that this event asks for. If the set, one
/// of its variants or an upstream revision does not decode, the status says so.
Result<work::NextReconcile> reconcile_set(const krm::ObjectKey& key, registry::Registry& registry,
                                          Caches& caches, SetMemory& memory, const Clock& clock,
                                          Observer* observer = nullptr, const work::Run& run = {});

}  // namespace portico::controllers
