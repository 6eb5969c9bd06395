#include "cluster/lease.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "base/guarded.h"
#include "base/monitor.h"
#include "cluster/internal/lease_state.h"

namespace portico::cluster {

using json::Value;
using registry::Verb;

namespace {

const krm::GroupKind kLease{"coordination.k8s.io", "Lease"};
constexpr std::chrono::milliseconds kRetry{2'000};

Instant steady_now() {
  return std::chrono::duration_cast<Instant>(std::chrono::steady_clock::now().time_since_epoch());
}

class LeaseImpl : public Lease {
 public:
  explicit LeaseImpl(LeaseOptions options)
      : options_(std::move(options)), state_(options_.holder, options_.duration) {}

  ~LeaseImpl() override { release(); }

  Result<bool> acquire(const std::stop_token& stop) override {
    const std::stop_callback wake(stop,
                                  [this] { asked_.change([](bool& asked) { asked = true; }); });
    released_ = false;
    std::string observed;
    while (!stop.stop_requested()) {
      const auto done = try_once();
      if (done && *done) return true;
      if (!done && done.error().code == Code::kInvalid) return done.error();
      if (!done && options_.log != nullptr && done.error().code != Code::kConflict)
        options_.log->warning("failed to acquire the Lease", {{"error", done.error().text()}});
      const auto [by, wait] = state_.with([&](const LeaseState& state) {
        return std::pair(state.held_by(), state.free_at() - steady_now());
      });
      const bool others = done && !by.empty();
      if (others && by != observed && options_.log != nullptr)
        options_.log->info("waiting for another instance", {{"holder", by}});
      if (others && by != observed && options_.on_wait) options_.on_wait();
      if (others) observed = by;
      wait_for_change(stop, done ? std::max(wait, Instant(1)) : kRetry);
    }
    return false;
  }

  void keep(std::function<void(const Error& why)> lost) override {
    keeper_ = std::jthread([this, lost = std::move(lost)](const std::stop_token& stop) {
      const std::stop_callback wake(stop,
                                    [this] { asked_.change([](bool& asked) { asked = true; }); });
      // A try is at most two calls of a sixth of the duration each. With no try started after half
      // of the duration, a loss is noticed in time.
      const Instant most = Instant(options_.duration) / 2;
      const Instant pause = std::min(kRetry, Instant(options_.duration) / 8);
      Instant renewed = steady_now();
      while (wait(stop, Instant(options_.duration) / 3)) {
        Instant from = steady_now();
        auto done = try_once();
        if (stop.stop_requested()) return;
        if (done && *done) {
          renewed = from;
          continue;
        }
        if (done) {
          lost(unavailable("{} holds the Lease {}", held_by(), options_.name));
          return;
        }
        // Retry failures sooner, while there is time.
        while (!done && steady_now() - renewed + pause < most && wait(stop, pause)) {
          from = steady_now();
          done = try_once();
        }
        if (stop.stop_requested()) return;
        if (done && !*done) {
          lost(unavailable("{} holds the Lease {}", held_by(), options_.name));
          return;
        }
        if (!done) {
          lost(unavailable("failed to renew the Lease {}: {}", options_.name, done.error().text()));
          return;
        }
        renewed = from;
      }
    });
  }

  void release() override {
    if (keeper_.joinable()) {
      keeper_.request_stop();
      keeper_.join();
    }
    const Value back = state_.with([](const LeaseState& state) { return state.given_back(); });
    if (back.is_null() || std::exchange(released_, true)) return;
    const auto written = options_.registry.commit({{Verb::kUpdate, back}});
    if (written) state_.with([&](LeaseState& state) { state.saw(written->front(), steady_now()); });
  }

 private:
  krm::ObjectKey key() const { return {kLease, options_.ns, options_.name}; }
  std::string held_by() const {
    return state_.with([](const LeaseState& state) { return state.held_by(); });
  }

  /// True: this process holds it from now on.
  Result<bool> try_once() {
    auto stored = options_.registry.get(key());
    if (!stored && stored.error().code != Code::kNotFound) return std::move(stored).error();
    const Value seen = stored ? *stored : Value();
    const Instant now = steady_now();
    const Value wanted = state_.with([&](LeaseState& state) {
      state.saw(seen, now);
      return state.is_free(now) ? state.taken(options_.ns, options_.name, options_.clock.now())
                                : Value();
    });
    if (wanted.is_null()) return false;
    auto written = options_.registry.commit({{stored ? Verb::kUpdate : Verb::kCreate, wanted}});
    if (!written) return std::move(written).error();
    state_.with([&](LeaseState& state) { state.saw(written->front(), steady_now()); });
    return true;
  }

  /// False: stop was requested.
  bool wait(const std::stop_token& stop, Instant time) {
    asked_.wait_until(
        std::chrono::steady_clock::now() + time, [](bool asked) { return asked; }, [](bool) {});
    return !stop.stop_requested();
  }

  /// Waits until the Lease changes, the time has passed or `stop` is requested.
  void wait_for_change(const std::stop_token& stop, Instant time) {
    const auto version = state_.with([](const LeaseState& state) { return state.version(); });
    const auto watch = options_.registry.watch(
        {.type = kLease, .ns = options_.ns, .name = options_.name}, version);
    const std::stop_callback wake(stop, [&] { watch->stop(); });
    if (!watch->next(time)) wait(stop, std::min(time, kRetry));
  }

  const LeaseOptions options_;
  Guarded<LeaseState> state_;
  Monitor<bool> asked_{false};
  bool released_ = false;  // tried only once: a stopping process has no time for more
  std::jthread keeper_;
};

}  // namespace

std::unique_ptr<Lease> Lease::make(LeaseOptions options) {
  return std::make_unique<LeaseImpl>(std::move(options));
}

}  // namespace portico::cluster
