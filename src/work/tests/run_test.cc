// What helps after a look that failed.
#include "work/run.h"

#include <gtest/gtest.h>

#include "base/world_error.h"

namespace portico::work {
namespace {

TEST(NextAfter, IsByWhoCanMendIt) {
  EXPECT_EQ(next_after(invalid("x"), 0), Next::kEvent);
  EXPECT_EQ(next_after(not_found("x"), 0), Next::kEvent);
  EXPECT_EQ(next_after(unavailable("x"), 0), Next::kSoon);
  EXPECT_EQ(next_after(internal("x"), 0), Next::kSoon);
  EXPECT_EQ(next_after(refused("x"), 0), Next::kSlowly);
  EXPECT_EQ(next_after(conflict("x"), 0), Next::kAtOnce);
  EXPECT_EQ(next_after(conflict("x"), 5), Next::kSoon);
}

TEST(NextAfter, WhatAnApiForbidsIsTriedAgain) {
  EXPECT_EQ(next_after(forbidden("x"), 0), Next::kSlowly);
  EXPECT_EQ(next_after(invalid("x").because(Reason::kUnauthorized), 0), Next::kSlowly);
}

}  // namespace
}  // namespace portico::work
