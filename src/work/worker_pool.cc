#include "work/worker_pool.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <random>
#include <thread>
#include <vector>

#include "base/alternate_stack.h"
#include "base/monitor.h"
#include "base/secrets.h"

namespace portico::work {
namespace {

class Pool : public WorkerPool {
 public:
  Pool(PoolOptions options, Reconcile reconcile)
      : options_(std::move(options)),
        reconcile_(std::move(reconcile)),
        state_(State{
            KeyQueue(options_.back_off, options_.lane_limit, options_.slow), false, {}, {}}) {}
  ~Pool() override { stop(); }

  void add(const krm::ObjectKey& key) override {
    Lane lane = lane_of(key);
    state_.change([&](State& state) { state.queue.add(key, std::move(lane)); });
  }
  void add_after(const krm::ObjectKey& key, std::chrono::milliseconds wait) override {
    const Instant when = now() + wait;
    Lane lane = lane_of(key);
    state_.change([&](State& state) { state.queue.add_at(key, when, std::move(lane)); });
  }
  QueueCounts counts() const override {
    return state_.with([](const State& state) { return state.queue.counts(); });
  }
  bool any_busy(const std::set<krm::ObjectKey>& keys) const override {
    return state_.with([&](const State& state) {
      return std::any_of(keys.begin(), keys.end(),
                         [&](const krm::ObjectKey& key) { return state.queue.is_busy(key); });
    });
  }
  bool any_retrying(const std::set<krm::ObjectKey>& keys,
                    std::chrono::milliseconds patience) const override {
    return state_.with([&, now = now()](const State& state) {
      return std::any_of(keys.begin(), keys.end(), [&](const krm::ObjectKey& key) {
        return state.queue.is_retrying(key, now, patience);
      });
    });
  }
  bool any_retrying(std::chrono::milliseconds patience) const override {
    return state_.with(
        [&, now = now()](const State& state) { return state.queue.any_retrying(now, patience); });
  }
  PoolState state() const override {
    constexpr std::size_t kMostNext = 20;
    return state_.with([&](const State& state) {
      PoolState out{options_.name,       options_.workers,           state.queue.counts(), {},
                    state.queue.lanes(), state.queue.next(kMostNext)};
      for (const auto& [key, running] : state.running) out.running.push_back(running);
      return out;
    });
  }
  std::map<krm::ObjectKey, Error> failing() const override {
    return state_.with([](const State& state) { return state.errors; });
  }
  bool wait_idle(Instant until) override {
    const auto is_idle = [](const State& state) { return state.queue.counts().idle(); };
    return state_.wait_until(
        until, [&](const State& state) { return state.stopping || is_idle(state); },
        [&](const State& state) { return !state.stopping && is_idle(state); });
  }

  void start() override {
    if (!threads_.empty()) return;
    state_.change([](State& state) { state.stopping = false; });
    for (int i = 0; i < options_.workers; ++i) threads_.emplace_back([this] { work(); });
  }
  void stop() override {
    state_.change([](State& state) { state.stopping = true; });
    threads_.clear();  // joins
  }

 private:
  struct State {
    KeyQueue queue;
    bool stopping = false;
    std::map<krm::ObjectKey, PoolState::Running> running;
    std::map<krm::ObjectKey, Error> errors;  // of keys that will be retried
  };

  Lane lane_of(const krm::ObjectKey& key) const {
    return options_.lane_of ? options_.lane_of(key) : Lane{key.ns, ""};
  }

  static Instant now() { return std::chrono::steady_clock::now(); }

  // Nullopt when the pool stops.
  std::optional<krm::ObjectKey> next() {
    while (true) {
      std::optional<Instant> due;
      bool stopping = false;
      auto key = state_.with([&](State& state) -> std::optional<krm::ObjectKey> {
        stopping = state.stopping;
        if (stopping) return std::nullopt;
        auto taken = state.queue.take(now());
        due = state.queue.next_due();
        return taken;
      });
      if (key || stopping) return key;
      const auto ready = [&](const State& state) {
        return state.stopping || state.queue.can_take() || state.queue.next_due() != due;
      };
      const Instant until = std::min(due.value_or(Instant::max()), now() + std::chrono::hours(1));
      state_.wait_until(until, ready, [](State&) {});
    }
  }

  // Short and practically unique.
  std::string next_id() {
    std::uint64_t bits = first_run_ + 0x9e3779b97f4a7c15u * ++runs_;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
    return fmt::format("{:08x}", (bits ^ (bits >> 31)) >> 32);
  }

  Result<NextReconcile> reconcile(const krm::ObjectKey& key, const Run& run) const {
    try {
      return reconcile_(key, run);
    } catch (const std::exception& thrown) {
      return internal("an exception was thrown: {}", thrown.what());
    } catch (...) {
      return internal("an unknown exception was thrown");
    }
  }

  Result<NextReconcile> traced_reconcile(const krm::ObjectKey& key, const Run& run) const {
    if (options_.tracer == nullptr) return reconcile(key, run);
    Span span(options_.tracer, "reconcile " + key.type.kind);
    span.set("portico.kind", key.type.kind);
    span.set("portico.namespace", key.ns);
    span.set("portico.name", key.name);
    span.set("portico.run", run.id);
    if (run.failures > 0) span.set("portico.failures", run.failures);
    auto outcome = reconcile(key, run);
    span.ends_as(outcome);
    return outcome;
  }

  void work() {
    prepare_alternate_stack();
    // Only spreads retries; its quality does not matter.
    std::uint64_t seed = std::hash<std::thread::id>()(std::this_thread::get_id()) | 1;
    while (const auto key = next()) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      Run run{.id = next_id(),
              .back_off = options_.back_off,
              .slow = options_.slow,
              .jitter = static_cast<double>(seed >> 11) / 9007199254740992.0};
      const Instant begin = now();
      state_.with([&](State& state) {
        const Failures before = state.queue.failures(*key);
        run.failures = before.all;
        run.refused = before.refused;
        state.running.insert_or_assign(*key, PoolState::Running{*key, run, begin});
      });
      const Result<NextReconcile> outcome = traced_reconcile(*key, run);
      if (options_.observer != nullptr)
        options_.observer->looked(options_.name, *key, run, outcome, now() - begin);
      if (!outcome && options_.log != nullptr) report(*key, run, outcome.error());
      const Lane lane = lane_of(*key);
      const bool idle = state_.change([&](State& state) {
        conclude(state, *key, run, outcome, lane);
        return state.queue.counts().idle();
      });
      if (idle && options_.on_idle) options_.on_idle();
    }
  }

  void conclude(State& state, const krm::ObjectKey& key, const Run& run,
                const Result<NextReconcile>& outcome, const Lane& lane) const {
    state.running.erase(key);
    state.errors.erase(key);
    if (outcome && outcome->after && outcome->retry)
      return state.queue.not_yet(key, now() + *outcome->after, lane);
    if (outcome && outcome->after) return state.queue.done(key, now() + *outcome->after, lane);
    const Next next = outcome ? Next::kEvent : next_after(outcome.error(), run.failures);
    if (next == Next::kEvent) return state.queue.done(key);
    state.errors.insert_or_assign(key, outcome.error());
    state.queue.failed(key, now(), run.jitter, lane, pace_of(outcome.error()));
    if (next != Next::kAtOnce) return;
    if (const auto wait = run.wait_after(outcome.error()); wait && wait->count() > 0)
      state.queue.add_at(key, now() + *wait, lane);
    else
      state.queue.add(key, lane);
  }

  // A repeated error is logged at debug level only.
  void report(const krm::ObjectKey& key, const Run& run, const Error& error) {
    const bool told = state_.with([&](const State& state) {
      const auto before = state.errors.find(key);
      return before != state.errors.end() && before->second.text() == error.text();
    });
    const LogLevel level = told                               ? LogLevel::kDebug
                           : error.code == Code::kInternal    ? LogLevel::kError
                           : error.code == Code::kUnavailable ? LogLevel::kWarning
                                                              : LogLevel::kDebug;
    options_.log->write(level, options_.name,
                        {{"object", key.text()},
                         {"run", run.id},
                         {"code", name(error.code)},
                         {"error", without_secrets(error.text())}});
  }

  const PoolOptions options_;
  const Reconcile reconcile_;
  const std::uint64_t first_run_ = std::random_device()();
  std::atomic<std::uint64_t> runs_ = 0;
  Monitor<State> state_;
  std::vector<std::jthread> threads_;
};

}  // namespace

std::unique_ptr<WorkerPool> make_pool(PoolOptions options, Reconcile reconcile) {
  return std::make_unique<Pool>(std::move(options), std::move(reconcile));
}

}  // namespace portico::work
