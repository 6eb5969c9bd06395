#include <gtest/gtest.h>

#include "work/key_queue.h"

namespace portico::work {
namespace {

using std::chrono::milliseconds;

constexpr Instant kStart{};

// How a failing key appears to a caller that waits for it with a patience of one second.
class Retrying : public ::testing::Test {
 protected:
  Retrying() { queue.add(x); }
  void fail(Pace pace = Pace::kSoon) {
    ASSERT_TRUE(queue.take(now));
    now += took;
    queue.failed(x, now, 0, {}, pace);
  }
  bool is_retrying() const { return queue.is_retrying(x, now, std::chrono::seconds(1)); }
  void expect(bool busy, bool retrying, const char* why) const {
    EXPECT_EQ(queue.is_busy(x), busy) << why;
    EXPECT_EQ(is_retrying(), retrying) << why;
    EXPECT_EQ(queue.any_retrying(now, std::chrono::seconds(1)), retrying) << why;
  }

  const krm::ObjectKey x{{"example.com", "Thing"}, "a", "x"};
  KeyQueue queue{{.first = milliseconds(10)}};
  Instant now = kStart;
  milliseconds took{0};
};

TEST_F(Retrying, UntilItWorked) {
  expect(true, false, "not tried yet");
  fail();
  expect(false, true, "it waits for another try");
  EXPECT_TRUE(queue.counts().idle());
  now += milliseconds(10);
  ASSERT_TRUE(queue.take(now));
  expect(false, true, "it is tried");
  queue.done(x, now + milliseconds(10));
  expect(false, false, "a mere look");
  now += milliseconds(10);
  ASSERT_TRUE(queue.take(now));
  expect(true, false, "it is looked at");
}

TEST_F(Retrying, NotAfterManyFailures) {
  for (int i = 0; i < kFailuresThatPass; ++i) {
    fail();
    expect(false, true, "it may pass");
    now = *queue.next_due();
  }
  fail();
  expect(false, false, "it does not pass");
  now = *queue.next_due();
  ASSERT_TRUE(queue.take(now));
  expect(true, false, "work as any other");
}

TEST_F(Retrying, NotWhereAPersonMendsIt) {
  fail();
  queue.add(x);
  fail(Pace::kSlowly);
  expect(false, false, "it does not pass by itself");
}

TEST_F(Retrying, NotWhereItIsSlow) {
  took = milliseconds(995);
  fail();
  expect(false, false, "the next try comes too late");
  now = *queue.next_due();
  ASSERT_TRUE(queue.take(now));
  expect(false, false, "it is tried, but nobody waits for it");
}

TEST_F(Retrying, NotForLongerThanPatience) {
  fail();
  now = *queue.next_due();
  ASSERT_TRUE(queue.take(now));
  now = kStart + milliseconds(999);
  expect(false, true, "it is tried");
  now = kStart + milliseconds(1000);
  expect(false, false, "nobody waits any more");
}

TEST_F(Retrying, AnEventMakesItBusy) {
  fail();
  queue.add(x);
  expect(true, false, "before the try");
  fail();
  now = *queue.next_due();
  ASSERT_TRUE(queue.take(now));
  queue.add(x);
  expect(true, true, "during the try");
  queue.failed(x, now, 0);
  expect(true, false, "after it");
  ASSERT_TRUE(queue.take(now));
  expect(true, false, "for the event");
}

TEST_F(Retrying, WorkThatIsScheduledMakesItBusy) {
  fail();
  queue.add_at(x, now + milliseconds(90));
  EXPECT_FALSE(queue.is_busy(x)) << "the try comes first, and does it";
  now = *queue.next_due();
  ASSERT_TRUE(queue.take(now));
  queue.add_at(x, now + milliseconds(90));
  expect(true, true, "it is tried, and scheduled");
}

TEST_F(Retrying, WhatDoesNotComeSoFarIsTriedAgainToo) {
  ASSERT_TRUE(queue.take(now));
  queue.not_yet(x, now + milliseconds(10));
  expect(false, true, "it waits for another try");
  EXPECT_EQ(queue.counts().looking, 1u);
  now += milliseconds(10);
  ASSERT_TRUE(queue.take(now));
  expect(false, true, "it is tried");
  queue.not_yet(x, kStart + milliseconds(1000));
  expect(false, false, "the next try comes too late");
}

}  // namespace
}  // namespace portico::work
