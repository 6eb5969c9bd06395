#include <map>
#include <optional>
#include <set>

#include "api/kinds.h"
#include "base/guarded.h"
#include "controllers/kinds.h"
#include "controllers/repository.h"
#include "controllers/secret_index.h"
#include "controllers/status_throttle.h"

namespace portico::controllers {
namespace {

using std::chrono::milliseconds;

class RepositoryController : public Controller {
 public:
  explicit RepositoryController(const World& world) : world_(world) {}

  // Syncs mostly wait; repositories that do not answer occupy at most half of the workers.
  Workers workers() const override {
    work::BackOff back_off;
    if (polls()) back_off.most = std::min<milliseconds>(back_off.most, world_.resync);
    return {.name = "repository",
            .count = 8,
            .back_off = back_off,
            .slow = slow_back_off(world_),
            .lane_limit = {.first = 4},
            .before_others = true};
  }
  work::Lane lane_of(const krm::ObjectKey& key) const override {
    if (world_.repository_health.answers(key.ns, key.name)) return {key.ns, key.name};
    return {"", "do not answer"};
  }

  std::vector<Wake> wake(const registry::Event& event) override {
    const krm::ObjectKey key = krm::object_key(event.object);
    const bool gone = event.change == registry::Change::kDeleted;
    std::vector<Wake> out;
    if (key.type == api::repository_kind() && more_than_status(event)) {
      secrets_.put(key, gone ? json::Value() : event.object);
      known_.with([&](Known& known) {
        if (gone)
          known.erase(key);
        else
          known.insert(key);
      });
      out.push_back(sync(key));
    }
    if (key.type == api::revision_kind() && event.change != registry::Change::kModified) {
      const krm::ObjectKey home{api::repository_kind(), key.ns,
                                std::string(event.object["spec"]["repository"].as_string())};
      // The revisions of a Repository that was deleted while no process was watching are still
      // stored.
      const bool orphaned =
          !gone && !known_.with([&](const Known& known) { return known.contains(home); });
      out.push_back(orphaned ? sync(home) : Wake{home, throttle_.left(home)});
    }
    for (const krm::ObjectKey& opened : secrets_.concerned(event.object))
      out.push_back(sync(opened));
    return out;
  }

  Result<work::NextReconcile> reconcile(const krm::ObjectKey& key, const work::Run& run) override {
    const auto from = StatusThrottle::Clock::now();
    const bool unsynced = due_.with([&](Due& due) {
      const auto poll = due.next_poll.find(key);
      const bool now = poll != due.next_poll.end() && poll->second <= from;
      return due.unsynced.erase(key) > 0 || now;
    });
    const auto period = polls() ? std::optional(period_of(key)) : std::nullopt;
    const int failures = due_.with([&](const Due& due) {
      const auto at = due.failures.find(key);
      return at == due.failures.end() ? 0 : at->second;
    });
    auto done = unsynced ? sync_repository(key, world_, period, run, failures) : count(key);
    if (unsynced)
      due_.with([&](Due& due) {
        if (done) {
          due.failures.erase(key);
        } else {
          due.unsynced.insert(key);
          ++due.failures[key];
        }
      });
    return with_poll(key, unsynced, period, std::move(done));
  }

 private:
  using Known = std::set<krm::ObjectKey>;
  struct Due {
    std::set<krm::ObjectKey> unsynced;       // to be read from git
    std::map<krm::ObjectKey, int> failures;  // consecutive failed syncs
    std::map<krm::ObjectKey, work::Instant> next_poll;
  };

  bool polls() const { return world_.resync.count() > 0; }

  Result<work::NextReconcile> count(const krm::ObjectKey& key) {
    const StatusThrottle::Counting counting(throttle_, key);
    return count_packages(key, world_.registry);
  }

  Wake sync(const krm::ObjectKey& repository) {
    due_.with([&](Due& due) { due.unsynced.insert(repository); });
    return {repository};
  }

  /// Each repository's period differs a little from the configured one, so that they are not all
  /// polled at the same time.
  milliseconds period_of(const krm::ObjectKey& key) const {
    const auto part = static_cast<int>(std::hash<std::string>()(key.text()) % 201);
    return milliseconds(world_.resync) * (900 + part) / 1000;
  }

  Result<work::NextReconcile> with_poll(const krm::ObjectKey& key, bool synced,
                                        std::optional<milliseconds> period,
                                        Result<work::NextReconcile> done) {
    if (!done && is_tried_by_back_off(done.error(), polls())) return done;
    const bool there = known_.with([&](const Known& known) { return known.contains(key); });
    const work::Instant now = StatusThrottle::Clock::now();
    const auto next = due_.with([&](Due& due) -> std::optional<work::Instant> {
      if (!there) {
        due.next_poll.erase(key);
        return std::nullopt;
      }
      const auto at = due.next_poll.find(key);
      if (!synced && at != due.next_poll.end()) return at->second;
      const auto wait = synced && done ? done->after : period;
      if (!wait) {
        due.next_poll.erase(key);
        return std::nullopt;
      }
      return due.next_poll[key] = now + *wait;
    });
    if (!next) return done ? Result<work::NextReconcile>(work::NextReconcile{}) : std::move(done);
    return work::NextReconcile{
        .after = std::max(milliseconds(0), std::chrono::ceil<milliseconds>(*next - now))};
  }

  const World world_;
  SecretIndex secrets_;  // only for the thread that delivers events
  Guarded<Known> known_;
  Guarded<Due> due_;
  StatusThrottle throttle_;
};

}  // namespace

std::unique_ptr<Controller> repository_controller(const World& world) {
  return std::make_unique<RepositoryController>(world);
}

}  // namespace portico::controllers
