#include "controllers/manager.h"

#include <atomic>
#include <set>
#include <thread>
#include <tuple>

#include "api/kinds.h"
#include "base/guarded.h"
#include "controllers/repository.h"
#include "controllers/rests.h"
#include "controllers/secret_index.h"
#include "controllers/set.h"
#include "controllers/set_index.h"
#include "controllers/variant.h"
#include "controllers/variant_index.h"
#include "work/worker_pool.h"

namespace portico::controllers {
namespace {

using json::Value;
using std::chrono::milliseconds;

const krm::GroupKind kRepositories{std::string(api::kConfigGroup),
                                   std::string(api::kRepositoryKind)};
const krm::GroupKind kVariants{std::string(api::kConfigGroup), std::string(api::kVariantKind)};
const krm::GroupKind kRevisions{std::string(api::kPorchGroup), std::string(api::kRevisionKind)};
const krm::GroupKind kSets{std::string(api::kConfigGroup), std::string(api::kVariantSetKind)};

// Repositories are mostly waited for, sets are heavy and few.
constexpr int kRepositoryWorkers = 8, kSetWorkers = 2;
// How long sets and variants wait at the start for repositories that do not answer.
constexpr std::chrono::seconds kFirstSync{60};

// Whether more than the status changed.
bool more_than_status(const registry::Event& event) {
  if (event.change != registry::Change::kModified) return true;
  const auto essence = [](const Value& object) {
    return object.without("status").without_at({"metadata", "resourceVersion"});
  };
  return essence(event.object) != essence(event.previous);
}

// Whether what others decide on has changed. The status of a revision is what git says: where it
// lies, what it holds and what it was made from. That of a Repository says whether it has been
// read.
bool matters(const registry::Event& event) {
  if (more_than_status(event)) return true;
  const krm::GroupKind type = krm::group_kind(event.object);
  return type == kRevisions ||
         (type == kRepositories && was_read(event.object) != was_read(event.previous));
}

class ManagerImpl : public Manager {
 public:
  explicit ManagerImpl(const ManagerOptions& options) : options_(options) {
    const auto pool = [&](const char* name, int workers, work::Reconcile reconcile) {
      return work::make_pool(
          {.name = name, .workers = workers, .back_off = {}, .log = &options_.log},
          std::move(reconcile));
    };
    repositories_ = pool("repository", kRepositoryWorkers, [this](const krm::ObjectKey& key) {
      const auto from = Rests::Clock::now();
      const bool unsynced = unsynced_.with([&](auto& keys) { return keys.erase(key) > 0; });
      auto done = unsynced
                      ? sync_repository(key, options_.registry, options_.packages, options_.clock)
                      : count_packages(key, options_.registry);
      if (!done && unsynced) unsynced_.with([&](auto& keys) { keys.insert(key); });
      rests_.done(key, from);
      return done;
    });
    sets_ = pool("packagevariantset", kSetWorkers, [this](const krm::ObjectKey& key) {
      const auto from = Rests::Clock::now();
      auto done = reconcile_set(key, options_.registry, caches_, memory_, options_.clock);
      rests_.done(key, from);
      return done;
    });
    variants_ = pool("packagevariant", options_.workers, [this](const krm::ObjectKey& key) {
      return reconcile_variant(key, options_.registry, options_.packages, options_.drafts, caches_,
                               options_.clock, options_.actor);
    });
  }
  ~ManagerImpl() override { stop(); }

  Result<Done> start() override {
    PORTICO_TRY(const registry::ResourceVersion from, list_all());
    watch_from(from);
    dispatcher_ = std::jthread([this] { dispatch(); });
    // What sets and variants decide rests on what the repositories hold: those first.
    repositories_->start();
    const auto limit = std::chrono::steady_clock::now() + kFirstSync;
    while (!repositories_->counts().idle() && std::chrono::steady_clock::now() < limit)
      std::this_thread::sleep_for(milliseconds(2));
    sets_->start();
    variants_->start();
    return Done{};
  }

  void stop() override {
    stopping_ = true;
    if (const auto watch = watch_.with([](const auto& now) { return now; })) watch->stop();
    if (dispatcher_.joinable()) dispatcher_.join();
    for (work::WorkerPool* pool : {repositories_.get(), sets_.get(), variants_.get()})
      if (pool != nullptr) pool->stop();
  }

  bool wait_settled(milliseconds limit,
                    const std::function<void(const Progress&)>& report) override {
    const auto until = std::chrono::steady_clock::now() + limit;
    auto next_report = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() < until) {
      if (settled()) return true;
      if (std::chrono::steady_clock::now() >= next_report) {
        report(progress());
        next_report += milliseconds(100);
      }
      std::this_thread::sleep_for(milliseconds(1));
    }
    return settled();
  }

  Progress progress() const override {
    Progress out;
    for (const work::WorkerPool* pool : {repositories_.get(), sets_.get(), variants_.get()}) {
      const work::QueueCounts counts = pool->counts();
      out.waiting += counts.ready + counts.scheduled;
      out.running += counts.running;
      out.delayed += counts.failing;
      out.reconciled += counts.taken;
    }
    return out;
  }

 private:
  struct Indexes {
    VariantIndex variants;
    SetIndex sets;
    SecretIndex secrets;
  };

  // All events up to the store's version are dispatched and no queue has anything for now. The
  // order matters: what a worker writes is seen by the dispatcher before the worker's key counts as
  // done only if the version is read after the queues.
  bool settled() const {
    const registry::ResourceVersion version = options_.registry.version();
    if (seen_ < version) return false;
    for (const work::WorkerPool* pool : {repositories_.get(), sets_.get(), variants_.get()})
      if (!pool->counts().idle()) return false;
    return options_.registry.version() == version && seen_ >= version;
  }

  Result<registry::ResourceVersion> list_all() {
    registry::ResourceVersion from = 0;
    for (const krm::GroupKind& type : {kRepositories, kSets, kVariants}) {
      PORTICO_TRY(const registry::Listing all, options_.registry.list({.type = type}));
      if (from == 0 || all.version < from) from = all.version;
      indexes_.with([&](Indexes& indexes) {
        for (const Value& object : all.objects) {
          if (type == kVariants) indexes.variants.put(krm::object_key(object), object);
          if (type == kSets) indexes.sets.put(krm::object_key(object), object);
          if (type == kRepositories) indexes.secrets.put(krm::object_key(object), object);
        }
      });
      work::WorkerPool& pool = type == kRepositories ? *repositories_
                               : type == kSets       ? *sets_
                                                     : *variants_;
      for (const Value& object : all.objects) {
        const krm::ObjectKey key = krm::object_key(object);
        if (type == kSets) memory_.outdate(key);
        if (type == kRepositories)
          sync(key);
        else
          pool.add(key);
      }
    }
    PORTICO_DO(add_orphaned_repositories());
    return from;
  }

  void watch_from(registry::ResourceVersion from) {
    std::shared_ptr<registry::Watch> fresh = options_.registry.watch({}, from);
    watch_.with([&](auto& now) { now = std::move(fresh); });
    seen_ = from;
  }

  // Of a Repository that went while nobody watched the revisions are still there.
  Result<Done> add_orphaned_repositories() {
    PORTICO_TRY(const registry::Listing all, options_.registry.list({.type = kRevisions}));
    std::set<std::pair<std::string_view, std::string_view>> named;
    for (const Value& object : all.objects)
      named.emplace(krm::namespace_of(object), object["spec"]["repository"].as_string());
    for (const auto& [ns, name] : named) {
      const krm::ObjectKey key{kRepositories, std::string(ns), std::string(name)};
      const auto repository = options_.registry.get(key);
      if (!repository && repository.error().code == Code::kNotFound) sync(key);
    }
    return Done{};
  }

  void dispatch() {
    auto next_resync = std::chrono::steady_clock::now() + options_.resync;
    while (!stopping_) {
      const auto watch = watch_.with([](const auto& now) { return now; });
      auto events = watch->next(milliseconds(200));
      if (!events) {
        // The log does not reach back so far: everything is looked at again.
        options_.log.warning("watch", {{"error", events.error().text()}});
        if (const auto from = list_all()) {
          watch_from(*from);
        }
        continue;
      }
      for (const registry::Event& event : *events) handle(event);
      if (!events->empty()) seen_ = events->back().version;
      if (options_.resync.count() > 0 && std::chrono::steady_clock::now() >= next_resync) {
        next_resync = std::chrono::steady_clock::now() + options_.resync;
        resync();
      }
    }
  }

  void resync() {
    if (const auto all = options_.registry.list({.type = kRepositories}))
      for (const Value& object : all->objects) sync(krm::object_key(object));
  }

  void sync(const krm::ObjectKey& repository) {
    unsynced_.with([&](auto& keys) { keys.insert(repository); });
    repositories_->add(repository);
  }

  // Other credentials: the repository, and the variants that could not read or write it.
  void try_again(const krm::ObjectKey& repository) {
    sync(repository);
    const auto stored = options_.registry.get(repository);
    if (!stored) return;
    for (const krm::ObjectKey& each :
         indexes_.with([&](const Indexes& indexes) { return indexes.variants.concerned(*stored); }))
      variants_->add(each);
  }

  void handle(const registry::Event& event) {
    const krm::ObjectKey key = krm::object_key(event.object);
    const bool gone = event.change == registry::Change::kDeleted;
    const bool news = matters(event);
    if (key.type == kRepositories && more_than_status(event)) sync(key);
    if (key.type == kRevisions && event.change != registry::Change::kModified) {
      const krm::ObjectKey home{kRepositories, key.ns,
                                std::string(event.object["spec"]["repository"].as_string())};
      repositories_->add_after(home, rests_.left(home));
    }
    if (key.type == kVariants) {
      if (const auto set = SetIndex::owner_of(event.object)) {
        if (news) memory_.outdate(*set);
        sets_->add_after(*set, rests_.left(*set));
      }
    }
    if (gone) caches_.forget(key);
    if (!news) return;

    indexes_.with([&](Indexes& indexes) {
      if (key.type == kVariants) indexes.variants.put(key, gone ? Value() : event.object);
      if (key.type == kSets) indexes.sets.put(key, gone ? Value() : event.object);
      if (key.type == kRepositories) indexes.secrets.put(key, gone ? Value() : event.object);
    });
    const auto [variants, sets, opened] = indexes_.with([&](const Indexes& indexes) {
      auto concerned = indexes.variants.concerned(event.object);
      if (key.type == kVariants) concerned.insert(key);
      return std::tuple(std::move(concerned), indexes.sets.concerned(event.object, event.previous),
                        indexes.secrets.concerned(event.object));
    });
    for (const krm::ObjectKey& each : opened) try_again(each);
    for (const krm::ObjectKey& each : variants) variants_->add(each);
    for (const krm::ObjectKey& each : sets) {
      memory_.outdate(each);
      sets_->add(each);
    }
  }

  const ManagerOptions options_;
  Caches caches_;
  SetMemory memory_;
  Guarded<Indexes> indexes_;
  Rests rests_;
  Guarded<std::set<krm::ObjectKey>> unsynced_;  // repositories to be looked at in git
  std::atomic<registry::ResourceVersion> seen_{0};
  std::atomic<bool> stopping_{false};
  Guarded<std::shared_ptr<registry::Watch>> watch_;  // stopped by one thread, replaced by another
  std::unique_ptr<work::WorkerPool> repositories_, sets_, variants_;
  std::jthread dispatcher_;
};

}  // namespace

std::unique_ptr<Manager> Manager::make(const ManagerOptions& options) {
  return std::make_unique<ManagerImpl>(options);
}

}  // namespace portico::controllers
