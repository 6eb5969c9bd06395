#include "base/pause.h"

#include <gtest/gtest.h>

namespace portico {
namespace {

using std::chrono::milliseconds;

Stop::Time in(milliseconds time) { return std::chrono::steady_clock::now() + time; }

TEST(Pause, IsLeftWhereItIsToStop) {
  EXPECT_TRUE(pause_until(in(milliseconds(1)), {}));
  StopSource source;
  EXPECT_TRUE(pause_until(in(milliseconds(1)), source.stop()));
  source.ask();
  EXPECT_FALSE(pause_until(in(std::chrono::hours(1)), source.stop()));
  EXPECT_FALSE(pause_until(in(std::chrono::hours(1)), Stop::at_time(in(milliseconds(0)))));
}

}  // namespace
}  // namespace portico
