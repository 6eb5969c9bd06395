// Which processes work together, according to their Leases.
#include "cluster/membership.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "base/guarded.h"
#include "base/monitor.h"
#include "cluster/internal/members_state.h"
#include "registry/forwarding_registry.h"
#include "store/embedded.h"

namespace portico::cluster {
namespace {

using json::Value;
using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

Value lease(const std::string& name, const std::string& renewed, int seconds = 15,
            const std::string& uid = "1") {
  return Value::object(
      {{"metadata", Value::object({{"name", name}, {"uid", uid}})},
       {"spec", Value::object({{"leaseDurationSeconds", seconds}, {"renewTime", renewed}})}});
}

TEST(Members, LiveAsLongAsTheirLeasesChange) {
  MembersState state("b", 15s);
  state.saw({lease("a", "1"), lease("c", "1")}, 100s);
  EXPECT_THAT(state.members(100s), ElementsAre("a", "c")) << "our own is not renewed";
  state.renewed(100s);
  EXPECT_THAT(state.members(100s), ElementsAre("a", "b", "c"));
  state.saw({lease("a", "2"), lease("b", "1"), lease("c", "1")}, 108s);
  EXPECT_THAT(state.members(112s), ElementsAre("a", "b", "c"));
  EXPECT_THAT(state.members(113s), ElementsAre("a", "c")) << "before others take over";
  state.renewed(112s);
  EXPECT_THAT(state.members(114s), ElementsAre("a", "b", "c"));
  EXPECT_THAT(state.members(115s), ElementsAre("a", "b")) << "c says nothing since 100";
  state.saw({lease("a", "2"), lease("c", "2")}, 116s);
  EXPECT_THAT(state.members(116s), ElementsAre("a", "b", "c")) << "it is back";
  state.saw({}, 117s);
  EXPECT_THAT(state.members(117s), ElementsAre("b")) << "they have given them back";
}

TEST(Members, ANewProcessOfAnOldNameIsAnother) {
  MembersState state("b", 15s);
  state.saw({lease("a", "1")}, 0s);
  state.saw({lease("a", "1", 15, "2")}, 20s);
  EXPECT_THAT(state.members(21s), ElementsAre("a"));
}

TEST(Members, WhatNobodyRenewsForLongIsAbandoned) {
  MembersState state("b", 15s);
  state.saw({lease("a", "1"), lease("c", "1", 3)}, 0s);
  state.saw({lease("a", "2"), lease("c", "1", 3)}, 29s);
  EXPECT_THAT(state.abandoned(29s), IsEmpty());
  const auto abandoned = state.abandoned(30s);
  ASSERT_EQ(abandoned.size(), 1u);
  EXPECT_EQ(krm::name_of(abandoned.front()), "c");
}

/// One process and what it sees.
struct Process {
  explicit Process(registry::Registry& registry, const std::string& name,
                   std::chrono::seconds duration = 1s) {
    auto started = Membership::start({.registry = registry,
                                      .clock = clock,
                                      .ns = "default",
                                      .group = "portico-server",
                                      .member = name,
                                      .duration = duration,
                                      .changed = [this](const std::vector<std::string>& members) {
                                        seen.change([&](auto& now) { now = members; });
                                      }});
    EXPECT_TRUE(started) << started.error().text();
    if (started) membership = *std::move(started);
  }
  bool sees(const std::vector<std::string>& members) {
    return seen.wait_until(
        std::chrono::steady_clock::now() + 60s, [&](const auto& now) { return now == members; },
        [&](const auto& now) { return now == members; });
  }
  SystemClock clock;
  Monitor<std::vector<std::string>> seen;
  std::unique_ptr<Membership> membership;  // last member, because it calls back
};

TEST(Membership, EachSeesTheOthersComeAndGo) {
  const auto store = *store::open_in_memory({}, {}, 1);
  Process a(*store, "portico-member-a");
  EXPECT_TRUE(a.sees({"portico-member-a"}));
  EXPECT_TRUE(a.membership->lives());
  {
    Process b(*store, "portico-member-b");
    EXPECT_TRUE(b.sees({"portico-member-a", "portico-member-b"}));
    EXPECT_TRUE(a.sees({"portico-member-a", "portico-member-b"}));
  }
  EXPECT_TRUE(a.sees({"portico-member-a"})) << "who ends gives its Lease back";
  a.membership.reset();
  EXPECT_TRUE(store->list({})->objects.empty());
}

/// A registry that is unreachable on request.
class Away : public registry::ForwardingRegistry {
 public:
  explicit Away(registry::Registry& below) : ForwardingRegistry(below), below_(below) {}
  Result<std::vector<Value>> commit(const std::vector<registry::Write>& writes) override {
    tries_.change([](int& tries) { ++tries; });
    if (away_) return unavailable("no answer");
    return below_.commit(writes);
  }
  void set(bool away) { away_ = away; }
  void wait_for_another_try() {
    const int now = tries_.with([](int tries) { return tries; });
    tries_.wait([&](int tries) { return tries > now + 1; }, [](int) {});
  }

 private:
  registry::Registry& below_;
  Monitor<int> tries_{0};
  std::atomic<bool> away_ = false;
};

TEST(Membership, SaysThatItReachesTheOthersAgain) {
  const auto store = *store::open_in_memory({}, {}, 1);
  Away away(*store);
  Monitor<int> observed{0};
  SystemClock clock;
  auto member = Membership::start({.registry = away,
                                   .clock = clock,
                                   .ns = "default",
                                   .group = "portico-server",
                                   .member = "portico-member-a",
                                   .duration = 1s,
                                   .changed = [](const std::vector<std::string>&) {},
                                   .reached_again = [&] { observed.change([](int& n) { ++n; }); }});
  ASSERT_TRUE(member) << member.error().text();
  const auto times = [&] { return observed.with([](int n) { return n; }); };
  away.wait_for_another_try();
  EXPECT_EQ(times(), 0) << "all the time";
  away.set(true);
  away.wait_for_another_try();
  EXPECT_EQ(times(), 0) << "not yet";
  away.set(false);
  EXPECT_TRUE(observed.wait_until(
      std::chrono::steady_clock::now() + 60s, [](int n) { return n > 0; },
      [](int n) { return n > 0; }));
  away.wait_for_another_try();
  EXPECT_EQ(times(), 1) << "once";
}

/// A registry whose writes block while it is held.
class Held : public registry::ForwardingRegistry {
 public:
  explicit Held(registry::Registry& below) : ForwardingRegistry(below), below_(below) {}
  Result<std::vector<Value>> commit(const std::vector<registry::Write>& writes) override {
    held_.wait([](bool held) { return !held; }, [](bool) {});
    return below_.commit(writes);
  }
  void hold(bool held) {
    held_.change([&](bool& now) { now = held; });
  }

 private:
  registry::Registry& below_;
  Monitor<bool> held_{false};
};

TEST(Membership, WhoWasGoneForAMomentComesAnew) {
  const auto store = *store::open_in_memory({}, {}, 1);
  Held slow(*store);
  Monitor<std::vector<std::vector<std::string>>> observed;
  SystemClock clock;
  auto member = Membership::start({.registry = slow,
                                   .clock = clock,
                                   .ns = "default",
                                   .group = "portico-server",
                                   .member = "portico-member-a",
                                   .duration = 1s,
                                   .changed = [&](const std::vector<std::string>& members) {
                                     observed.change([&](auto& all) { all.push_back(members); });
                                   }});
  ASSERT_TRUE(member) << member.error().text();
  ASSERT_TRUE((*member)->lives());
  slow.hold(true);
  while ((*member)->lives()) std::this_thread::yield();  // the renewal is now due
  slow.hold(false);
  const auto seen = observed.wait_until(
      std::chrono::steady_clock::now() + 60s, [](const auto& all) { return all.size() >= 3; },
      [](const auto& all) { return all; });
  ASSERT_GE(seen.size(), 3u) << "what was left out meanwhile is not looked at again";
  EXPECT_THAT(seen[0], ElementsAre("portico-member-a"));
  EXPECT_THAT(seen[1], IsEmpty());
  EXPECT_THAT(seen[2], ElementsAre("portico-member-a"));
}

TEST(Membership, ALeaseThatIsDeletedIsMadeAgain) {
  const auto store = *store::open_in_memory({}, {}, 1);
  Process a(*store, "portico-member-a");
  const krm::ObjectKey key{{"coordination.k8s.io", "Lease"}, "default", "portico-member-a"};
  const std::string first(krm::uid_of(*store->get(key)));
  ASSERT_TRUE(store->commit({{registry::Verb::kDelete, *store->get(key)}}));
  const auto until = std::chrono::steady_clock::now() + 60s;
  bool back = false;
  while (!back && std::chrono::steady_clock::now() < until) {
    const auto now = store->get(key);
    back = now && krm::uid_of(*now) != first;
  }
  EXPECT_TRUE(back);
}

}  // namespace
}  // namespace portico::cluster
