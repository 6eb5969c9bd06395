// Writers that lose races: retried with growing waits, and not forever.
#include "git/internal/lost_race.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "git/tests/store_fixture.h"

namespace portico::git {
namespace {

using std::chrono::milliseconds;

TEST(LostRace, WaitsGrowAndSpread) {
  EXPECT_EQ(wait_after_lost(1, 1), milliseconds(0)) << "who was quicker is done";
  EXPECT_EQ(wait_after_lost(2, 0), milliseconds(25));
  EXPECT_EQ(wait_after_lost(2, 1), milliseconds(75));
  EXPECT_EQ(wait_after_lost(3, 0.5), milliseconds(100));
  EXPECT_EQ(wait_after_lost(5, 0.5), milliseconds(400));
  EXPECT_EQ(wait_after_lost(6, 0.5), wait_after_lost(600, 0.5)) << "and not for ever";
}

// A mirror of a repository in which another writer always moves refs called "late" first.
class LateTest : public StoreTest {
 protected:
  void SetUp() override {
    StoreTest::SetUp();
    options_.push = [this](std::span<const RefChange> changes) -> Result<Done> {
      ++pushes_;
      if (std::any_of(changes.begin(), changes.end(),
                      [](const RefChange& one) { return one.name.find("late") != one.name.npos; }))
        return conflict("refs moved meanwhile");
      return Done{};
    };
    options_.catch_up = [this]() -> Result<Done> {
      ++looks_;
      return Done{};
    };
    options_.pause = [this](milliseconds time) {
      waits_.push_back(time);
      return true;
    };
  }

  StoreOptions options_;
  std::atomic<int> pushes_{0}, looks_{0};
  std::vector<milliseconds> waits_;  // written by the leader only
};

TEST_F(LateTest, AWriterIsTriedAFewTimesWithWaitsBetween) {
  auto store = open_here(std::move(options_));
  const auto done = move_ref(*store, "refs/heads/late", {}, "1");
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, Code::kConflict);
  EXPECT_EQ(pushes_, kMostTries);
  EXPECT_EQ(looks_, kMostTries - 1) << "each try decides on what is there now";
  ASSERT_EQ(waits_.size(), static_cast<std::size_t>(kMostTries - 1));
  EXPECT_EQ(waits_[0], milliseconds(0));
  for (std::size_t i = 1; i < waits_.size(); ++i) {
    const int lost = static_cast<int>(i) + 1;
    EXPECT_GE(waits_[i], wait_after_lost(lost, 0));
    EXPECT_LE(waits_[i], wait_after_lost(lost, 1));
  }
}

TEST_F(LateTest, WhoIsNotLateGetsThrough) {
  auto store = open_here(std::move(options_));
  constexpr int kWriters = 8;
  std::atomic<int> late{0}, fine{0};
  {
    std::vector<std::jthread> writers;
    for (int i = 0; i < kWriters; ++i)
      writers.emplace_back([&, i] {
        const bool is_late = i % 2 == 0;
        const auto done = move_ref(
            *store, "refs/heads/" + std::string(is_late ? "late" : "fine") + std::to_string(i), {},
            "1");
        if (done) ++fine;
        if (!done && done.error().code == Code::kConflict) ++late;
      });
  }
  EXPECT_EQ(late, kWriters / 2);
  EXPECT_EQ(fine, kWriters / 2) << "whoever is not late gets through, whatever the batch";
  EXPECT_LE(pushes_, kWriters * kMostTries);
}

TEST_F(LateTest, WhoIsToStopIsNotTriedAgain) {
  options_.pause = nullptr;
  StopSource source;
  source.ask();
  options_.stopped = source.stop();
  auto store = open_here(std::move(options_));
  EXPECT_EQ(move_ref(*store, "refs/heads/late", {}, "1").error().code, Code::kConflict);
  EXPECT_EQ(pushes_, 1);
}

}  // namespace
}  // namespace portico::git
