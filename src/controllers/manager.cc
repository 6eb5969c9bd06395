#include "controllers/manager.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <random>
#include <set>
#include <thread>

#include "base/monitor.h"
#include "base/secrets.h"
#include "controllers/events.h"
#include "controllers/follower.h"
#include "controllers/following.h"
#include "controllers/startup_gate.h"
#include "work/worker_pool.h"

namespace portico::controllers {
namespace {

using std::chrono::milliseconds;

// How long the event thread sleeps at most; stop() wakes it.
constexpr milliseconds kListen = std::chrono::hours(1);
constexpr milliseconds kBetweenReports{100};

/// Reports finished reconciles to StartupGate and forwards them.
class ToFirstLooks : public work::PoolObserver {
 public:
  ToFirstLooks(StartupGate& first_looks, work::PoolObserver* next)
      : first_looks_(first_looks), next_(next) {}

  void looked(const std::string& pool, const krm::ObjectKey& key, const work::Run& run,
              const Result<work::NextReconcile>& outcome, std::chrono::nanoseconds took) override {
    first_looks_.looked(key);
    if (next_ != nullptr) next_->looked(pool, key, run, outcome, took);
  }

 private:
  StartupGate& first_looks_;
  work::PoolObserver* const next_;
};

class ManagerImpl : public Manager {
 public:
  explicit ManagerImpl(ManagerOptions options)
      : options_(std::move(options)), follower_(options_.registry, {.jitter = random_}) {
    for (const auto& controller : options_.controllers) {
      const Controller::Workers workers = controller->workers();
      Controller* const one = controller.get();
      parts_.push_back(
          {one, workers.before_others,
           work::make_pool(
               {.name = workers.name,
                .workers = workers.count,
                .back_off = workers.back_off,
                .slow = workers.slow,
                .lane_of = [one](const auto& key) { return one->lane_of(key); },
                .lane_limit = workers.lane_limit,
                .log = options_.observer == nullptr ? &options_.log : nullptr,
                .observer = workers.before_others ? &to_first_looks_ : options_.observer,
                .tracer = options_.tracer,
                .on_idle = [this] { moved(); }},
               [one](const auto& key, const work::Run& run) { return one->reconcile(key, run); })});
      one->attach([pool = parts_.back().pool.get()](const auto& key) { pool->add(key); });
    }
  }
  ~ManagerImpl() override {
    stop();
    options_.controllers.clear();  // controllers may wake the queues until they are destroyed
  }

  Result<Done> start() override {
    Follower::Step first = follower_.next(milliseconds(0));
    if (first.error) return *std::move(first.error);
    tell(first.events);
    first_looks_.begin();
    told_first_ = true;
    listener_ = std::jthread([this] { listen(); });
    for (const Part& part : parts_) part.pool->start();
    ender_ = std::jthread([this] { end_first_looks(); });
    return Done{};
  }

  void stop() override {
    stopping_.change([](bool& stopping) { stopping = true; });
    follower_.stop();
    // Stop the pools that others wait for first, so that nothing that depends on them begins.
    for (const Part& part : parts_)
      if (part.before_others) part.pool->stop();
    if (ender_.joinable()) ender_.join();
    if (listener_.joinable()) listener_.join();
    for (const Part& part : parts_) part.pool->stop();
  }

  using Manager::wait_settled;
  bool wait_settled(const Wanted& wanted,
                    const std::function<void(const Progress&)>& report) override {
    const auto until = std::chrono::steady_clock::now() + wanted.limit;
    Looks looks(*this, wanted.rest);
    std::set<krm::ObjectKey> known;
    const auto done = [&](milliseconds patience) {
      if (wanted.asked.empty()) return settled();
      if (wanted.rest.count() > 0) {
        looks.note();
        // Evaluated before settled(): a retry that ends in between makes another key busy.
        const bool retrying = any_retrying(patience), all = settled();
        if (all && !retrying) return true;
        if (!all && !looks.hang()) return false;
      }
      return settled(wanted.asked, known, patience);
    };
    auto next_report = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() < until && !options_.stopped() && !wanted.given_up()) {
      // Read before done() is evaluated, so that no later change is missed.
      const std::uint64_t before = moves_.with([](std::uint64_t moves) { return moves; });
      if (done(wanted.patience)) return true;
      if (std::chrono::steady_clock::now() >= next_report) {
        report(progress());
        next_report += kBetweenReports;
      }
      moves_.wait_until(
          std::min(until, next_report), [&](std::uint64_t moves) { return moves != before; },
          [](std::uint64_t) {});
    }
    return done(milliseconds(0));
  }

  Progress progress() const override {
    Progress out;
    out.waiting = first_looks_.held();
    for (const Part& part : parts_) {
      const work::QueueCounts counts = part.pool->counts();
      out.waiting += counts.ready + counts.scheduled;
      out.running += counts.running;
      out.delayed += counts.failing;
      out.reconciled += counts.taken;
    }
    return out;
  }

  std::map<krm::ObjectKey, Error> failing() const override {
    std::map<krm::ObjectKey, Error> out;
    for (const Part& part : parts_) out.merge(part.pool->failing());
    return out;
  }

  std::vector<work::PoolState> queues() const override {
    std::vector<work::PoolState> out;
    for (const Part& part : parts_) out.push_back(part.pool->state());
    return out;
  }

 private:
  struct Part {
    Controller* controller;
    bool before_others;
    std::unique_ptr<work::WorkerPool> pool;
  };

  // All events up to the store's version have been delivered, and no queue has anything to do now.
  // The order matters: only if the version is read after the queues is it certain that the listener
  // saw a worker's write before the worker's key counted as done.
  bool settled() const {
    const registry::ResourceVersion version = options_.registry.version();
    if (first_looks_.held() > 0 || seen_ < version) return false;
    for (const Part& part : parts_)
      if (!part.pool->counts().idle()) return false;
    return options_.registry.version() == version && seen_ >= version;
  }

  // The same for `asked` and everything it affects; `known` is that set as of the last call. If the
  // set is the same before and after a moment when nothing in it was busy, all of it is done: new
  // work for it can only come from one of its members or from an event that was delivered. With
  // patience, pending retries count as busy.
  bool settled(const std::set<krm::ObjectKey>& asked, std::set<krm::ObjectKey>& known,
               milliseconds patience) const {
    if (!is_quiet(known, patience) || rests_on_retries(asked, patience)) return false;
    while (is_quiet(known, patience)) {
      auto now = index_.following(asked);
      if (!now) return settled();
      if (*now == known) return true;
      known = *std::move(now);
    }
    return false;
  }
  bool is_quiet(const std::set<krm::ObjectKey>& keys, milliseconds patience) const {
    const registry::ResourceVersion version = options_.registry.version();
    if (seen_ < version || first_looks_.holds_any(keys)) return false;
    for (const Part& part : parts_)
      if (part.pool->any_busy(keys) || part.pool->any_retrying(keys, patience)) return false;
    return options_.registry.version() == version;
  }
  bool any_retrying(milliseconds patience) const {
    return std::any_of(parts_.begin(), parts_.end(),
                       [&](const Part& part) { return part.pool->any_retrying(patience); });
  }
  // When a Repository recovers, its content arrives with it, and that does not follow from any key
  // in `asked`.
  bool rests_on_retries(const std::set<krm::ObjectKey>& asked, milliseconds patience) const {
    if (!any_retrying(patience)) return false;
    const auto read = index_.repositories_for(asked);
    return read && std::any_of(parts_.begin(), parts_.end(), [&](const Part& part) {
             return part.pool->any_retrying(*read, patience);
           });
  }

  /// Whether reconciles still begin and end.
  class Looks {
   public:
    Looks(const ManagerImpl& manager, milliseconds most) : manager_(manager), most_(most) {}

    void note() {
      const Progress progress = manager_.progress();
      if (progress.reconciled == last_.reconciled && progress.running == last_.running) return;
      last_ = progress;
      since_ = std::chrono::steady_clock::now();
    }
    bool hang() const { return std::chrono::steady_clock::now() - since_ >= most_; }

   private:
    const ManagerImpl& manager_;
    const milliseconds most_;
    Progress last_;
    std::chrono::steady_clock::time_point since_ = std::chrono::steady_clock::now();
  };

  void end_first_looks() {
    const auto until = std::chrono::steady_clock::now() + options_.first_looks;
    for (const Part& part : parts_)
      if (part.before_others) wait_for_first_looks(*part.pool, until);
    if (stopping_.with([](bool stopping) { return stopping; })) return;
    first_looks_.end();
    moved();
  }

  // Makes the threads that wait for settled() check again.
  void moved() {
    moves_.change([](std::uint64_t& moves) { ++moves; });
  }

  // Until the pool is idle, or no reconcile begins or ends any more and the rest is considered
  // hung.
  void wait_for_first_looks(work::WorkerPool& pool, work::Instant until) const {
    work::QueueCounts last;
    while (std::chrono::steady_clock::now() < until) {
      const auto hangs = std::chrono::steady_clock::now() + options_.first_looks_hang;
      if (pool.wait_idle(std::min(until, hangs))) return;
      const work::QueueCounts now = pool.counts();
      if (now.taken == last.taken && now.running == last.running) return;
      last = now;
    }
  }

  void listen() {
    const auto stops = [](bool stopping) { return stopping; };
    while (!stopping_.with(stops)) {
      const Follower::Step step = follower_.next(kListen);
      if (step.error) {
        // The watch has expired, or the store cannot be read: list again.
        options_.log.warning("watch", {{"error", without_secrets(step.error->text())}});
        stopping_.wait_until(std::chrono::steady_clock::now() + step.pause, stops, [](bool) {});
        continue;
      }
      tell(step.events);
    }
  }

  void tell(const std::vector<registry::Event>& events) {
    for (const registry::Event& event : events) {
      if (krm::group_kind(event.object) == event_kind()) continue;  // written by Portico for users
      for (const Part& part : parts_) {
        try {
          for (const Wake& wake : part.controller->wake(event)) add(part, wake);
        } catch (const std::exception& thrown) {
          options_.log.error("event", {{"object", krm::object_key(event.object).text()},
                                       {"error", without_secrets(thrown.what())}});
        }
      }
    }
    seen_ = follower_.version();
    moved();
  }

  void add(const Part& part, const Wake& wake) {
    if (wake.after.count() > 0) return part.pool->add_after(wake.key, wake.after);
    if (part.before_others) {
      if (!told_first_) first_looks_.expect(wake.key);
    } else if (!first_looks_.over()) {
      const auto object = options_.registry.get(wake.key);
      if (object && first_looks_.hold(wake.key, part.controller->rests_on(*object), *part.pool))
        return;
    }
    part.pool->add(wake.key);
  }

  ManagerOptions options_;
  const std::function<double()> random_ = [engine =
                                               std::minstd_rand(std::random_device()())]() mutable {
    return std::generate_canonical<double, 32>(engine);
  };
  Follower follower_;
  DependentsIndex index_{options_.registry};
  Monitor<std::uint64_t> moves_{0u};  // counts the changes of what settled() checks
  StartupGate first_looks_;
  ToFirstLooks to_first_looks_{first_looks_, options_.observer};
  bool told_first_ = false;  // only for the thread that delivers events
  std::vector<Part> parts_;
  std::atomic<registry::ResourceVersion> seen_{0};
  Monitor<bool> stopping_{false};
  std::jthread listener_, ender_;
};

}  // namespace

std::unique_ptr<Manager> Manager::make(ManagerOptions options) {
  return std::make_unique<ManagerImpl>(std::move(options));
}

}  // namespace portico::controllers
