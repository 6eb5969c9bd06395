#include "controllers/set.h"

#include <algorithm>

#include "api/kinds.h"
#include "controllers/retry.h"
#include "controllers/set_observe.h"
#include "controllers/status.h"
#include "variants/set_status.h"
#include "variants/suspension.h"

namespace portico::controllers {

namespace {

krm::ObjectKey key_of(const api::PackageVariantSet& set) {
  return {api::variant_set_kind(), set.metadata.ns, set.metadata.name};
}

// Errors that a user cannot fix and that a retry may resolve.
bool transient(const Error& error) {
  return error.code == Code::kUnavailable || error.code == Code::kInternal ||
         error.code == Code::kConflict;
}

}  // namespace

std::shared_ptr<const Result<variants::CompiledSet>> SetMemory::compiled(
    const api::PackageVariantSet& set) {
  const krm::ObjectKey key = key_of(set);
  auto known = entries_.with([&](const auto& entries) {
    const auto at = entries.find(key);
    return at != entries.end() && at->second.uid == set.metadata.uid &&
                   at->second.generation == set.metadata.generation
               ? at->second.compiled
               : nullptr;
  });
  if (known != nullptr) return known;
  auto fresh = std::make_shared<const Result<variants::CompiledSet>>(
      language_ ? variants::compile_set(*language_, set.spec) : language_.error());
  entries_.with([&](auto& entries) {
    Entry& entry = entries[key];
    entry.uid = set.metadata.uid;
    entry.generation = set.metadata.generation;
    entry.compiled = fresh;
  });
  return fresh;
}

void SetMemory::outdate(const krm::ObjectKey& key) {
  entries_.with([&](auto& entries) {
    Entry& entry = entries[key];
    ++entry.version;
    entry.decision = nullptr;
  });
}

std::uint64_t SetMemory::version(const krm::ObjectKey& key) const {
  return entries_.with([&](const auto& entries) {
    const auto at = entries.find(key);
    return at == entries.end() ? 0 : at->second.version;
  });
}

std::shared_ptr<const variants::SetDecision> SetMemory::decision(const krm::ObjectKey& key) const {
  return entries_.with([&](const auto& entries) {
    const auto at = entries.find(key);
    return at == entries.end() ? nullptr : at->second.decision;
  });
}

void SetMemory::keep(const krm::ObjectKey& key, std::uint64_t version,
                     variants::SetDecision decision) {
  auto kept = std::make_shared<const variants::SetDecision>(std::move(decision));
  entries_.with([&](auto& entries) {
    Entry& entry = entries[key];
    if (entry.version == version) entry.decision = std::move(kept);
  });
}

void SetMemory::forget(const krm::ObjectKey& key) {
  entries_.with([&](auto& entries) { entries.erase(key); });
}

std::vector<registry::Write> writes_of(std::span<const variants::SetAction> actions) {
  std::vector<registry::Write> writes;
  writes.reserve(actions.size());
  for (const variants::SetAction& action : actions) {
    const registry::Verb verb = action.verb == variants::Verb::kCreate   ? registry::Verb::kCreate
                                : action.verb == variants::Verb::kUpdate ? registry::Verb::kUpdate
                                                                         : registry::Verb::kDelete;
    writes.push_back({verb, api::encode(*action.object)});
  }
  return writes;
}

namespace {

Result<Done> save(const variants::SetSnapshot& snapshot, const krm::ObjectKey& key,
                  const api::PackageVariantSet& changed, registry::Registry& registry) {
  if (changed.status == snapshot.set->status) return Done{};
  PORTICO_TRY(const json::Value stored, registry.get(key));
  return write_status(registry, stored, api::encode(changed)["status"]);
}

Result<Done> save(const variants::SetSnapshot& snapshot, const krm::ObjectKey& key,
                  const variants::SetDecision& decision,
                  const std::vector<variants::FailedAction>& failed,
                  std::optional<api::Retry> retry, registry::Registry& registry, TimePoint now) {
  api::PackageVariantSet changed = *snapshot.set;
  changed.status = variants::set_status(snapshot, decision, failed, now);
  changed.status.retry = std::move(retry);
  return save(snapshot, key, changed, registry);
}

/// The set, or an object that it depends on, does not decode: its status says so, and it waits.
Result<Done> refuse(const krm::ObjectKey& key, Error why, registry::Registry& registry,
                    TimePoint now) {
  const auto stored = registry.get(key);
  if (!stored && stored.error().code == Code::kNotFound) return Done{};
  if (!stored) return stored.error();
  return write_undecoded(registry, *stored, std::move(why), now);
}

/// Carries out a decision about a set.
class Writing {
 public:
  Writing(const api::PackageVariantSet& set, const variants::SetDecision& decision,
          registry::Registry& registry, Caches& caches, const Clock& clock)
      : set_(set),
        decision_(decision),
        registry_(registry),
        caches_(caches),
        clock_(clock),
        reported_(clock.now()) {}

  /// Writes in pieces, so that the memory for them does not grow with the set. nullopt if the set
  /// was changed meanwhile: what is left is for the next decision, which its event asks for.
  std::optional<std::vector<variants::FailedAction>> perform() {
    constexpr std::size_t kPiece = 200;
    std::vector<variants::FailedAction> failed;
    Actions left = decision_.actions;
    while (!left.empty()) {
      const Actions piece = left.first(std::min(kPiece, left.size()));
      const auto written = registry_.commit_each(writes_of(piece));
      for (std::size_t i = 0; i < written.size(); ++i)
        if (!written[i]) failed.push_back({piece[i].key, written[i].error()});
      left = left.subspan(piece.size());
      if (left.empty()) break;
      if (was_changed()) return std::nullopt;
      if (clock_.now() - reported_ >= kReportEvery) report(failed, left);
    }
    return failed;
  }

 private:
  using Actions = std::span<const variants::SetAction>;
  static constexpr std::chrono::seconds kReportEvery{5};

  bool was_changed() const {
    const auto stored = registry_.get(key_of(set_));
    if (!stored) return stored.error().code == Code::kNotFound;
    const auto now = caches_.sets.get(*stored);
    if (!now) return now.error().code == Code::kInvalid;
    const api::ObjectMeta& meta = (*now)->metadata;
    return meta.uid != set_.metadata.uid || meta.generation != set_.metadata.generation ||
           meta.deleting() || variants::is_suspended(meta.annotations);
  }

  /// A report that fails is left out: the next one, or the status at the end, says more.
  void report(std::span<const variants::FailedAction> failed, Actions left) {
    const krm::ObjectKey key = key_of(set_);
    if (const auto snapshot = observe_variants_of(key, registry_, caches_); snapshot && *snapshot) {
      api::PackageVariantSet changed = *(*snapshot)->set;
      changed.status = variants::set_progress(**snapshot, decision_, failed, left, clock_.now());
      (void)save(**snapshot, key, changed, registry_);
    }
    reported_ = clock_.now();
  }

  const api::PackageVariantSet& set_;
  const variants::SetDecision& decision_;
  registry::Registry& registry_;
  Caches& caches_;
  const Clock& clock_;
  TimePoint reported_;
};

/// Whether the decision stays valid while only the status of variants changes.
bool lasts(const variants::SetDecision& decision) {
  if (!decision.actions.empty()) return false;
  // A variant held back because its repository is not registered shows in its status when that
  // changes.
  return !decision.hold || decision.hold->why != variants::Hold::Why::kRepositoryNotFound;
}

}  // namespace

Result<work::NextReconcile> reconcile_set(const krm::ObjectKey& key, registry::Registry& registry,
                                          Caches& caches, SetMemory& memory, const Clock& clock,
                                          Observer* observer, const work::Run& run) {
  StatusThrottle::Counting counting(memory.throttle(), key);
  if (const auto decision = memory.decision(key)) {
    // An object that does not decode is reported by the full reconcile below.
    const auto counted = observe_variants_of(key, registry, caches);
    if (!counted && counted.error().code != Code::kInvalid) return counted.error();
    if (counted && *counted) {
      PORTICO_DO(save(**counted, key, *decision, {}, {}, registry, clock.now()));
      return work::NextReconcile{};
    }
  }

  const std::uint64_t version = memory.version(key);
  auto observed = observe_set(key, registry, caches);
  if (!observed && observed.error().code == Code::kInvalid) {
    PORTICO_DO(refuse(key, std::move(observed).error(), registry, clock.now()));
    return work::NextReconcile{};
  }
  PORTICO_TRY(auto snapshot, std::move(observed));
  if (!snapshot) {
    memory.forget(key);
    caches.forget(key);
    return work::NextReconcile{};
  }
  if (snapshot->set->metadata.deleting()) return work::NextReconcile{};

  PORTICO_TRY(variants::SetDecision decision,
              decide_observed(*snapshot, *memory.compiled(*snapshot->set), registry));
  // Save the hold first: new variants would make the held-back deletions look like a small share.
  if (decision.hold && !decision.actions.empty())
    PORTICO_DO(
        save(*snapshot, key, decision, {}, snapshot->set->status.retry, registry, clock.now()));
  // They are observed anew after writes, and thousands of writes take long.
  if (!decision.actions.empty()) snapshot->variants.clear();
  const auto failed = Writing(*snapshot->set, decision, registry, caches, clock).perform();
  if (!failed) return work::NextReconcile{};
  std::optional<Error> again;
  for (const variants::FailedAction& one : *failed)
    if (transient(one.error)) again = one.error;

  if (observer != nullptr) observer->set_reconciled(key, run, decision, *failed);
  if (!decision.actions.empty()) {
    counting.restart();
    PORTICO_TRY(snapshot, observe_variants_of(key, registry, caches));
    if (!snapshot) return work::NextReconcile{};
  }
  const TimePoint now = clock.now();
  const auto retry = retry_after(snapshot->set->status.retry, again ? &*again : nullptr, run, now);
  PORTICO_DO(save(*snapshot, key, decision, *failed, retry, registry, now));
  if (lasts(decision)) memory.keep(key, version, std::move(decision));
  if (again) return *again;
  return work::NextReconcile{};
}

}  // namespace portico::controllers
