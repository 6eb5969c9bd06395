#include "controllers/status_throttle.h"

#include <gtest/gtest.h>

#include <string>

namespace portico::controllers {
namespace {

TEST(StatusThrottle, AreForgottenWhenTheyAreOver) {
  StatusThrottle rests;
  constexpr int kKeys = 10'000;
  for (int i = 0; i < kKeys; ++i)
    rests.done({{"test", "Thing"}, "default", std::to_string(i)}, StatusThrottle::Clock::now());
  EXPECT_LT(rests.size(), std::size_t{kKeys / 2});
}

TEST(StatusThrottle, LastAsLongAsTheLookTimesTen) {
  StatusThrottle rests;
  const krm::ObjectKey key{{"test", "Thing"}, "default", "a"};
  EXPECT_EQ(rests.left(key).count(), 0);
  rests.done(key, StatusThrottle::Clock::now() - std::chrono::hours(1));
  EXPECT_GT(rests.left(key).count(), 0);
  EXPECT_LE(rests.left(key), std::chrono::seconds(5));
}

}  // namespace
}  // namespace portico::controllers
