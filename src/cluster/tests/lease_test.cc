// One of several processes holds a Lease.
#include "cluster/lease.h"

#include <gtest/gtest.h>

#include <future>
#include <thread>

#include "cluster/internal/lease_state.h"
#include "store/embedded.h"

namespace portico::cluster {
namespace {

using json::Value;
using namespace std::chrono_literals;

const krm::ObjectKey kKey{{"coordination.k8s.io", "Lease"}, "default", "portico"};

Value held(const std::string& holder, const std::string& renewed) {
  return Value::object({{"metadata", Value::object({{"name", "portico"}})},
                        {"spec", Value::object({{"holderIdentity", holder},
                                                {"leaseDurationSeconds", 15},
                                                {"leaseTransitions", 3},
                                                {"renewTime", renewed}})}});
}

TEST(LeaseState, CountsByItsOwnClock) {
  LeaseState state("me", 15s);
  state.saw(Value(), 0s);
  EXPECT_TRUE(state.is_free(0s)) << "there is none";

  state.saw(held("you", "2001-01-01T00:00:00.000000Z"), 100s);
  EXPECT_FALSE(state.is_free(100s)) << "however old it says to be";
  EXPECT_EQ(state.free_at(), 115s);
  state.saw(held("you", "2001-01-01T00:00:00.000000Z"), 110s);
  EXPECT_EQ(state.free_at(), 115s) << "it was not renewed";
  state.saw(held("you", "2001-01-01T00:00:05.000000Z"), 112s);
  EXPECT_EQ(state.free_at(), 127s);
  EXPECT_TRUE(state.is_free(127s));

  state.saw(held("", "2001-01-01T00:00:06.000000Z"), 113s);
  EXPECT_TRUE(state.is_free(113s)) << "it was given back";
  EXPECT_EQ(state.held_by(), "");
  state.saw(held("me", "2001-01-01T00:00:07.000000Z"), 114s);
  EXPECT_TRUE(state.is_free(114s)) << "it is ours";
}

TEST(LeaseState, SaysWhoHasIt) {
  LeaseState state("me", 15s);
  const TimePoint now = *parse_rfc3339("2026-11-22T10:00:00.25Z");
  state.saw(Value(), 0s);
  const Value fresh = state.taken("default", "portico", now);
  EXPECT_EQ(fresh["spec"]["holderIdentity"].as_string(), "me");
  EXPECT_EQ(fresh["spec"]["renewTime"].as_string(), "2026-11-22T10:00:00.250000Z");
  EXPECT_EQ(fresh["spec"]["leaseTransitions"].as_int(), 0);
  EXPECT_TRUE(state.given_back().is_null()) << "it is not ours";

  state.saw(held("you", "2001-01-01T00:00:00.000000Z"), 0s);
  const Value taken = state.taken("default", "portico", now);
  EXPECT_EQ(taken["spec"]["leaseTransitions"].as_int(), 4);
  state.saw(taken, 0s);
  EXPECT_EQ(state.taken("default", "portico", now + 5s)["spec"]["acquireTime"],
            taken["spec"]["acquireTime"]);
  EXPECT_EQ(state.given_back()["spec"]["holderIdentity"].as_string(), "");
}

class LeaseTest : public ::testing::Test {
 protected:
  std::unique_ptr<Lease> lease(const std::string& holder) {
    return Lease::make({.registry = *registry_,
                        .clock = clock_,
                        .ns = "default",
                        .name = "portico",
                        .holder = holder,
                        .duration = 1s});
  }
  Value stored() const { return *registry_->get(kKey); }

  SystemClock clock_;
  std::unique_ptr<registry::Registry> registry_ = *store::open_embedded({});
};

TEST_F(LeaseTest, GoesToWhoWaitsWhenItIsGivenBack) {
  const auto first = lease("first"), second = lease("second");
  ASSERT_TRUE(*first->acquire({}));
  EXPECT_EQ(stored()["spec"]["holderIdentity"].as_string(), "first");
  auto waiting = std::async(std::launch::async, [&] { return *second->acquire({}); });
  first->release();
  EXPECT_TRUE(waiting.get());
  EXPECT_EQ(stored()["spec"]["holderIdentity"].as_string(), "second");
}

TEST_F(LeaseTest, IsTakenFromWhoSaysNothing) {
  const auto first = lease("first"), second = lease("second");
  ASSERT_TRUE(*first->acquire({}));
  EXPECT_TRUE(*second->acquire({}));
  first->release();
  EXPECT_EQ(stored()["spec"]["holderIdentity"].as_string(), "second") << "it was not the first's";
}

TEST_F(LeaseTest, TellsThatItIsLost) {
  const auto mine = lease("mine");
  ASSERT_TRUE(*mine->acquire({}));
  std::promise<Error> lost;
  mine->keep([&](const Error& why) { lost.set_value(why); });
  ASSERT_TRUE(registry_->commit(
      {{registry::Verb::kUpdate, stored()
                                     .with_at({"spec", "holderIdentity"}, "other")
                                     .without_at({"metadata", "resourceVersion"})}}));
  EXPECT_NE(lost.get_future().get().text().find("other holds the Lease"), std::string::npos);
}

TEST_F(LeaseTest, StopsWaiting) {
  const auto first = lease("first"), second = lease("second");
  ASSERT_TRUE(*first->acquire({}));
  first->keep([](const Error&) {});
  std::stop_source stop;
  auto waiting = std::async(std::launch::async, [&] { return *second->acquire(stop.get_token()); });
  stop.request_stop();
  EXPECT_FALSE(waiting.get());
}

}  // namespace
}  // namespace portico::cluster
