// Sixteen writers that lose to another push read the repository once, not sixteen times.
#include "gitpackages/internal/single_flight.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

namespace portico::gitpackages {
namespace {

TEST(SingleFlight, OneRunsForAllWhoWaitAndNobodyTakesARunThatBeganBefore) {
  constexpr int kLosers = 16;
  SingleFlight syncs;
  std::atomic<int> runs = 0;
  Monitor<bool> held{true};
  const auto sync = [&] {
    // The first run continues until all others have called.
    if (++runs == 1) held.wait([](bool now) { return !now; }, [](bool) {});
  };
  std::vector<std::jthread> losers;
  losers.emplace_back([&] { syncs.run(sync); });
  while (runs == 0) std::this_thread::yield();
  for (int i = 1; i < kLosers; ++i) losers.emplace_back([&] { syncs.run(sync); });
  while (syncs.asking() < kLosers - 1) std::this_thread::yield();
  held.change([](bool& now) { now = false; });
  losers.clear();
  EXPECT_EQ(runs, 2) << "one that had begun, which may have read too early, and one for the others";
}

TEST(SingleFlight, OneAfterTheOtherEachRuns) {
  SingleFlight syncs;
  int runs = 0;
  for (int i = 0; i < 3; ++i) syncs.run([&] { ++runs; });
  EXPECT_EQ(runs, 3);
}

TEST(SingleFlight, WhoJoinsIsContentWithTheRunThatGoesOn) {
  SingleFlight openings;
  std::atomic<int> runs = 0, others = 0;
  Monitor<bool> held{true};
  const auto open = [&] {
    ++runs;
    held.wait([](bool now) { return !now; }, [](bool) {});
  };
  std::jthread first([&] { EXPECT_TRUE(openings.join(open)); });
  while (runs == 0) std::this_thread::yield();
  std::vector<std::jthread> askers;
  for (int i = 0; i < 8; ++i)
    askers.emplace_back([&] {
      if (!openings.join(open)) ++others;
    });
  while (openings.asking() < 8) std::this_thread::yield();
  held.change([](bool& now) { now = false; });
  askers.clear();
  EXPECT_EQ(others, 8);
  EXPECT_EQ(runs, 1);
  first.join();
  EXPECT_TRUE(openings.join(open)) << "one that is over is not joined";
}

TEST(SingleFlight, AThrowLeavesNobodyWaiting) {
  SingleFlight syncs;
  EXPECT_THROW(syncs.run([] { throw std::runtime_error("x"); }), std::runtime_error);
  int runs = 0;
  syncs.run([&] { ++runs; });
  EXPECT_EQ(runs, 1);
}

}  // namespace
}  // namespace portico::gitpackages
