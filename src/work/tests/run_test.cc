// What happens after a failed reconcile.
#include "work/run.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "base/world_error.h"

namespace portico::work {
namespace {

TEST(NextAfter, IsByWhoCanMendIt) {
  EXPECT_EQ(next_after(invalid("x"), 0), Next::kEvent);
  EXPECT_EQ(next_after(not_found("x"), 0), Next::kEvent);
  EXPECT_EQ(next_after(unavailable("x"), 0), Next::kRetry);
  EXPECT_EQ(next_after(internal("x"), 0), Next::kRetry);
  EXPECT_EQ(next_after(refused("x"), 0), Next::kRetry);
  EXPECT_EQ(next_after(conflict("x"), 0), Next::kAtOnce);
  EXPECT_EQ(next_after(conflict("x"), 5), Next::kRetry);
  EXPECT_EQ(pace_of(unavailable("x")), Pace::kSoon);
  EXPECT_EQ(pace_of(internal("x")), Pace::kSoon);
  EXPECT_EQ(pace_of(conflict("x")), Pace::kSoon);
  EXPECT_EQ(pace_of(refused("x")), Pace::kSlowly);
}

TEST(NextAfter, WhoLosesAgainWaitsALittle) {
  work::Run run{.back_off = {.first = std::chrono::milliseconds(200)}};
  std::vector<std::int64_t> waits;
  for (run.failures = 0; run.failures < 6; ++run.failures)
    waits.push_back(run.wait_after(conflict("x"))->count());
  EXPECT_EQ(waits, (std::vector<std::int64_t>{0, 50, 100, 200, 400, 6400}));
  run.failures = 2;
  run.jitter = 1;
  EXPECT_EQ(run.wait_after(conflict("x"))->count(), 150) << "not all at the same time";
}

TEST(NextAfter, WhatAnApiForbidsIsTriedAgain) {
  EXPECT_EQ(next_after(forbidden("x"), 0), Next::kRetry);
  EXPECT_EQ(next_after(invalid("x").because(Reason::kUnauthorized), 0), Next::kRetry);
  EXPECT_EQ(pace_of(forbidden("x")), Pace::kDenied);
  EXPECT_EQ(pace_of(unavailable("x").because(Reason::kForbidden)), Pace::kDenied);
  EXPECT_EQ(pace_of(invalid("x").because(Reason::kUnauthorized)), Pace::kDenied);
  work::Run run{.failures = 7};  // the server was down before
  EXPECT_EQ(run.wait_after(forbidden("x"))->count(), 200);
  run.refused = 5;
  EXPECT_EQ(run.wait_after(forbidden("x"))->count(), 60'000);
}

}  // namespace
}  // namespace portico::work
