#include "controllers/sync_times.h"

#include <gtest/gtest.h>

#include "controllers/repository.h"
#include "controllers/repository_health.h"
#include "drafts/tests/fleet.h"

namespace portico::controllers {
namespace {

using drafts::must;
using json::Value;
using std::chrono::milliseconds;
using std::chrono::minutes;

struct Row {
  const char *schedule, *run_once_at, *observed;
  std::optional<minutes> period, want;
};

TEST(SyncTimes, ScheduleInPlaceOfThePeriodAndOnceBeside) {
  const TimePoint now = *parse_rfc3339("2026-11-22T08:50:00Z");
  const Row rows[] = {
      {"", "", "", {}, {}},
      {"", "", "", minutes(1), minutes(1)},
      {"0 * * * *", "", "", minutes(1), minutes(10)},
      {"0 * * * *", "", "", {}, minutes(10)},
      {"0 * * * *", "2026-11-22T08:54:00Z", "", {}, minutes(4)},
      {"0 * * * *", "2026-11-22T08:54:00Z", "2026-11-22T08:54:00Z", {}, minutes(10)},
      {"", "2026-11-22T08:54:00Z", "", minutes(1), minutes(1)},
      {"", "2026-11-22T08:54:00Z", "", minutes(5), minutes(4)},
      {"", "2026-11-22T08:40:00Z", "", minutes(5), minutes(0)},  // late
      {"nonsense", "nonsense", "", minutes(5), minutes(5)},
  };
  for (const Row& row : rows) {
    api::Repository repository;
    repository.spec.sync = api::RepositorySync{row.run_once_at, row.schedule};
    repository.status.observed_run_once_at = row.observed;
    EXPECT_EQ(until_next_sync(repository, row.period, now), row.want)
        << row.schedule << " " << row.run_once_at;
  }
}

TEST(SyncTimes, StandInTheStatus) {
  drafts::Fleet fleet;  // its clock begins at 2023-11-14T22:13:20Z
  fleet.make_git("edge");
  const Value object = fleet.store_new(
      fleet.repository_object("edge", "edge")
          .with_at({"spec", "sync"}, Value::object({{"schedule", "0 */2 * * *"},
                                                    {"runOnceAt", "2023-11-14T22:30:00Z"}})));
  const krm::ObjectKey key = krm::object_key(object);
  RepositoryHealth repository_health;
  const World world{.registry = *fleet.registry,
                    .packages = *fleet.packages,
                    .drafts = *fleet.drafts,
                    .repository_health = repository_health,
                    .clock = fleet.clock};
  const auto look = [&] { return must(sync_repository(key, world, minutes(1))); };
  const auto status = [&](const char* field) {
    return std::string(must(fleet.registry->get(key))["status"][field].as_string());
  };
  EXPECT_EQ(look().after, std::chrono::seconds(16 * 60 + 40));
  EXPECT_EQ(status("nextFullSyncTime"), "2023-11-14T22:30:00Z");
  EXPECT_EQ(status("observedRunOnceAt"), "");
  fleet.clock.move(minutes(17));
  EXPECT_TRUE(look().after.has_value());
  EXPECT_EQ(status("observedRunOnceAt"), "2023-11-14T22:30:00Z");
  EXPECT_EQ(status("lastFullSyncTime"), "2023-11-14T22:30:20Z");
  EXPECT_EQ(status("nextFullSyncTime"), "2023-11-15T00:00:00Z");
  EXPECT_EQ(status("gitCommitHash").size(), 40u);
  // Doing it again at the same time writes nothing.
  const auto version = fleet.registry->version();
  look();
  EXPECT_EQ(fleet.registry->version(), version);
}

}  // namespace
}  // namespace portico::controllers
