#include "cluster/membership.h"

#include <atomic>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>

#include "base/monitor.h"
#include "cluster/internal/members_state.h"
#include "krm/meta.h"

namespace portico::cluster {

using json::Value;
using registry::Verb;

namespace {

const krm::GroupKind kLease{"coordination.k8s.io", "Lease"};
constexpr const char* kLabel = "portico.dev/members";

Instant steady_now() {
  return std::chrono::duration_cast<Instant>(std::chrono::steady_clock::now().time_since_epoch());
}

class MembershipImpl : public Membership {
 public:
  explicit MembershipImpl(MembershipOptions options)
      : options_(std::move(options)),
        lease_(options_.member, options_.duration),
        state_(options_.member, options_.duration) {}

  ~MembershipImpl() override {
    if (thread_.joinable()) {
      thread_.request_stop();
      thread_.join();
    }
    if (held_) static_cast<void>(options_.registry.commit({{Verb::kDelete, *held_}}));
  }

  bool lives() const override { return steady_now() < lives_until_.load(); }

  Result<Done> begin() {
    auto done = look();
    if (!done && done.error().code == Code::kInvalid) return done;
    tell();
    thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
    return Done{};
  }

 private:
  void run(const std::stop_token& stop) {
    const std::stop_callback wake(stop,
                                  [this] { asked_.change([](bool& asked) { asked = true; }); });
    const Instant period = Instant(options_.duration) / 4;
    while (!stop.stop_requested()) {
      asked_.wait_until(
          std::chrono::steady_clock::now() + period, [](bool asked) { return asked; }, [](bool) {});
      if (stop.stop_requested()) return;
      if (const auto done = look(); !done && options_.log != nullptr)
        options_.log->warning("cannot list the other members", {{"error", done.error().text()}});
      tell();
    }
  }

  // The two parts are independent: a process that cannot renew still sees whether others are alive.
  Result<Done> look() {
    const Instant began = steady_now();
    auto renewed = renew();
    if (renewed) {
      state_.renewed(began);
      const Instant until = lives_until_.exchange(state_.lives_until());
      // Callers of lives() may have skipped our work in between, so report that we were gone and
      // are back.
      if (told_ && steady_now() >= until) {
        auto others = *told_;
        std::erase(others, options_.member);
        tell(others);
      }
    }
    const bool was_away = std::exchange(away_, !renewed);
    if (renewed && was_away && options_.reached_again) options_.reached_again();
    const auto all = options_.registry.list(
        {.type = kLease,
         .ns = options_.ns,
         .labels = *krm::LabelSelector::parse(fmt::format("{}={}", kLabel, options_.group))});
    if (all) {
      state_.saw(all->objects, steady_now());
      for (const Value& lease : state_.abandoned(steady_now()))
        static_cast<void>(options_.registry.commit({{Verb::kDelete, lease}}));
    }
    if (!renewed) return renewed;
    return all ? Result<Done>(Done{}) : Result<Done>(all.error());
  }

  Result<Done> renew() {
    const krm::ObjectKey key{kLease, options_.ns, options_.member};
    for (int attempt = 0;; ++attempt) {
      lease_.saw(held_.value_or(Value()), steady_now());
      const Value wanted = lease_.taken(options_.ns, options_.member, options_.clock.now())
                               .with_at({"metadata", "labels", kLabel}, options_.group);
      auto done = options_.registry.commit({{held_ ? Verb::kUpdate : Verb::kCreate, wanted}});
      if (done) {
        held_ = std::move(done->front());
        return Done{};
      }
      // The Lease was deleted or changed: try once more, based on its current state.
      const bool moved =
          done.error().code == Code::kConflict || done.error().code == Code::kNotFound;
      if (!moved || attempt > 0) return std::move(done).error();
      auto stored = options_.registry.get(key);
      if (!stored && stored.error().code != Code::kNotFound) return std::move(stored).error();
      held_ = stored ? std::optional(*std::move(stored)) : std::nullopt;
    }
  }

  void tell() { tell(state_.members(steady_now())); }
  void tell(const std::vector<std::string>& now) {
    if (told_ && *told_ == now) return;
    told_ = now;
    options_.changed(now);
  }

  const MembershipOptions options_;
  // Only for the thread, once it runs.
  LeaseState lease_;
  MembersState state_;
  std::atomic<Instant> lives_until_{Instant::min()};
  std::optional<Value> held_;  // our Lease as last written
  bool away_ = false;          // the last attempt to renew failed
  std::optional<std::vector<std::string>> told_;
  Monitor<bool> asked_{false};
  std::jthread thread_;
};

}  // namespace

Result<std::unique_ptr<Membership>> Membership::start(MembershipOptions options) {
  auto out = std::make_unique<MembershipImpl>(std::move(options));
  PORTICO_DO(out->begin());
  return std::unique_ptr<Membership>(std::move(out));
}

}  // namespace portico::cluster
