#include "work/worker_pool.h"

#include <exception>
#include <thread>
#include <vector>

#include "base/monitor.h"
#include "base/secrets.h"

namespace portico::work {
namespace {

// More conflicts in a row than bad luck explains.
constexpr int kAtOnce = 5;

class Pool : public WorkerPool {
 public:
  Pool(PoolOptions options, Reconcile reconcile)
      : options_(std::move(options)),
        reconcile_(std::move(reconcile)),
        state_(State{KeyQueue(options_.back_off, options_.lane_limit), false}) {}
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
  };

  Lane lane_of(const krm::ObjectKey& key) const {
    return options_.lane_of ? options_.lane_of(key) : Lane{key.ns, ""};
  }

  static Instant now() { return std::chrono::steady_clock::now(); }

  // Nothing where the pool stops.
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

  Result<NextLook> reconcile(const krm::ObjectKey& key) const {
    try {
      return reconcile_(key);
    } catch (const std::exception& thrown) {
      return internal("an exception was thrown: {}", thrown.what());
    } catch (...) {
      return internal("something was thrown that is no exception");
    }
  }

  void work() {
    // Only spreads retries; what it is worth is of no account.
    std::uint64_t seed = std::hash<std::thread::id>()(std::this_thread::get_id()) | 1;
    while (const auto key = next()) {
      const Result<NextLook> outcome = reconcile(*key);
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      const double jitter = static_cast<double>(seed >> 11) / 9007199254740992.0;
      if (!outcome && options_.log != nullptr) report(*key, outcome.error());
      const Lane lane = lane_of(*key);
      state_.change([&](State& state) { conclude(state, *key, outcome, jitter, lane); });
    }
  }

  void conclude(State& state, const krm::ObjectKey& key, const Result<NextLook>& outcome,
                double jitter, const Lane& lane) const {
    if (outcome && outcome->after) return state.queue.done(key, now() + *outcome->after, lane);
    if (outcome || outcome.error().code == Code::kInvalid ||
        outcome.error().code == Code::kNotFound)
      return state.queue.done(key);
    const bool at_once =
        outcome.error().code == Code::kConflict && state.queue.failures(key) < kAtOnce;
    state.queue.failed(key, now(), jitter, lane);
    if (at_once) state.queue.add(key, lane);
  }

  void report(const krm::ObjectKey& key, const Error& error) {
    const LogLevel level = error.code == Code::kInternal      ? LogLevel::kError
                           : error.code == Code::kUnavailable ? LogLevel::kWarning
                                                              : LogLevel::kDebug;
    options_.log->write(level, options_.name,
                        {{"object", key.text()},
                         {"code", name(error.code)},
                         {"error", without_secrets(error.text())}});
  }

  const PoolOptions options_;
  const Reconcile reconcile_;
  Monitor<State> state_;
  std::vector<std::jthread> threads_;
};

}  // namespace

std::unique_ptr<WorkerPool> make_pool(PoolOptions options, Reconcile reconcile) {
  return std::make_unique<Pool>(std::move(options), std::move(reconcile));
}

}  // namespace portico::work
