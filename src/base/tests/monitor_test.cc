#include "base/monitor.h"

#include <gtest/gtest.h>

#include <thread>

#include "base/guarded.h"

namespace portico {
namespace {

using std::chrono::steady_clock;

TEST(Guarded, IsTouchedByOneThreadAtATime) {
  Guarded<int> count(0);
  {
    std::jthread other([&] {
      for (int i = 0; i < 1000; ++i) count.with([](int& value) { ++value; });
    });
    for (int i = 0; i < 1000; ++i) count.with([](int& value) { ++value; });
  }
  EXPECT_EQ(std::as_const(count).with([](const int& value) { return value; }), 2000);
}

TEST(Monitor, WakesWhoeverWaits) {
  Monitor<int> step(0);
  std::jthread other([&] {
    step.wait([](int value) { return value == 1; }, [](int& value) { value = 2; });
    step.change([](int&) {});  // wait() does not notify
  });
  step.change([](int& value) { value = 1; });
  const int seen = step.wait_until(
      steady_clock::now() + std::chrono::minutes(1), [](int value) { return value == 2; },
      [](int& value) { return value; });
  EXPECT_EQ(seen, 2);
  EXPECT_EQ(std::as_const(step).with([](int value) { return value; }), 2);
}

TEST(Monitor, WakesOneWhereOneIsEnough) {
  Monitor<int> left(0);
  std::jthread other([&] {
    for (int i = 0; i < 10; ++i) left.change_for_one([](int& value) { ++value; });
  });
  for (int i = 0; i < 10; ++i)
    left.wait([](int value) { return value > 0; }, [](int& value) { --value; });
  EXPECT_EQ(left.with([](int value) { return value; }), 0);
}

TEST(Monitor, GivesUpAtTheDeadline) {
  Monitor<bool> never(false);
  EXPECT_FALSE(never.wait_until(
      steady_clock::now(), [](bool value) { return value; }, [](bool& value) { return value; }));
  EXPECT_FALSE(never.with([](bool value) { return value; }));
}

}  // namespace
}  // namespace portico
