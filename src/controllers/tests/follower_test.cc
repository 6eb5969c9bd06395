// What a follower reports when its watch expires, and how it waits while nothing works.
#include "controllers/follower.h"

#include <gmock/gmock.h>

#include "drafts/tests/fleet.h"
#include "registry/forwarding_registry.h"
#include "store/embedded.h"

namespace portico::controllers {
namespace {

using registry::Change;
using registry::Event;
using registry::Verb;
using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

json::Value thing(std::string_view name, std::int64_t n) {
  return json::Value::object({{"apiVersion", "test/v1"}, {"kind", "Thing"}})
      .with_at({"metadata", "name"}, name)
      .with_at({"spec", "n"}, n);
}

/// "+a1", "~a2", "-a2": names with spec.n.
std::vector<std::string> shown(const Follower::Step& step) {
  std::vector<std::string> out;
  for (const Event& event : step.events) {
    constexpr const char* kSigns[] = {"+", "~", "-"};
    out.push_back(fmt::format("{}{}{}", kSigns[static_cast<int>(event.change)],
                              krm::name_of(event.object), event.object["spec"]["n"].as_int()));
    EXPECT_EQ(event.previous.is_null(), event.change == Change::kAdded);
  }
  return out;
}

class FollowerTest : public ::testing::Test {
 protected:
  FollowerTest() {
    store::EmbeddedOptions options;
    options.watch_window = 2;
    store_ = drafts::must(store::open_embedded(std::move(options)));
  }
  void write(Verb verb, const json::Value& object) {
    drafts::must(store_->commit({{verb, object}}));
  }

  std::unique_ptr<registry::Registry> store_;
};

TEST_F(FollowerTest, TellsOfWhatIsThereAndThenOfWhatChanges) {
  write(Verb::kCreate, thing("a", 1));
  Follower follower(*store_);
  EXPECT_THAT(shown(follower.next(milliseconds(0))), ElementsAre("+a1"));
  EXPECT_EQ(follower.version(), store_->version());
  EXPECT_THAT(shown(follower.next(milliseconds(0))), IsEmpty());
  write(Verb::kUpdate, thing("a", 2));
  EXPECT_THAT(shown(follower.next(milliseconds(0))), ElementsAre("~a2"));
  write(Verb::kDelete, thing("a", 0));
  EXPECT_THAT(shown(follower.next(milliseconds(0))), ElementsAre("-a2"));
  EXPECT_EQ(follower.version(), store_->version());
}

TEST_F(FollowerTest, TellsWhatIsDifferentWhereTheWatchHasLostItsPlace) {
  for (const char* name : {"a", "b", "c"}) write(Verb::kCreate, thing(name, 1));
  Follower follower(*store_);
  EXPECT_THAT(shown(follower.next(milliseconds(0))), ElementsAre("+a1", "+b1", "+c1"));
  EXPECT_THAT(shown(follower.next(milliseconds(0))), IsEmpty());
  write(Verb::kDelete, thing("a", 0));
  write(Verb::kUpdate, thing("b", 2));
  write(Verb::kCreate, thing("d", 1));
  write(Verb::kDelete, thing("d", 0));
  write(Verb::kCreate, thing("e", 1));
  const Follower::Step lost = follower.next(milliseconds(0));
  ASSERT_TRUE(lost.error);
  EXPECT_EQ(lost.error->reason, Reason::kExpired);
  EXPECT_EQ(lost.pause, milliseconds(0)) << "the watch has worked until then";
  EXPECT_THAT(lost.events, IsEmpty());

  const Follower::Step again = follower.next(milliseconds(0));
  EXPECT_THAT(shown(again), ElementsAre("~b2", "+e1", "-a1")) << "nothing of c and d";
  for (const Event& event : again.events) EXPECT_EQ(event.version, store_->version());
  EXPECT_EQ(follower.version(), store_->version());
  write(Verb::kDelete, thing("b", 0));
  EXPECT_THAT(shown(follower.next(milliseconds(0))), ElementsAre("-b2"));
}

TEST_F(FollowerTest, AnObjectThatWasMadeAnewIsModified) {
  write(Verb::kCreate, thing("a", 1));
  Follower follower(*store_);
  (void)follower.next(milliseconds(0));
  (void)follower.next(milliseconds(0));
  write(Verb::kDelete, thing("a", 0));
  for (int i = 0; i < 3; ++i) write(i == 0 ? Verb::kCreate : Verb::kUpdate, thing("a", i + 5));
  EXPECT_TRUE(follower.next(milliseconds(0)).error);
  EXPECT_THAT(shown(follower.next(milliseconds(0))), ElementsAre("~a7"));
}

class LostWatch : public registry::Watch {
 public:
  Result<std::vector<Event>> next(milliseconds) override {
    return not_found("too old").because(Reason::kExpired);
  }
  registry::ResourceVersion version() const override { return 0; }
  void stop() override {}
};

/// Fails to list for a while, and its first watches expire at once.
class Unsteady : public registry::ForwardingRegistry {
 public:
  using ForwardingRegistry::ForwardingRegistry;
  Result<registry::Listing> list(const registry::Query& query) const override {
    if (failing_lists > 0) return --failing_lists, unavailable("no route");
    return ForwardingRegistry::list(query);
  }
  std::unique_ptr<registry::Watch> watch(const registry::Query& query,
                                         registry::ResourceVersion from,
                                         registry::OnReady on_ready) override {
    if (lost_watches > 0) return --lost_watches, std::make_unique<LostWatch>();
    return ForwardingRegistry::watch(query, from, std::move(on_ready));
  }
  mutable int failing_lists = 0;
  int lost_watches = 0;
};

Follower::Options slower_each_time() {
  Follower::Options options;
  options.back_off = {milliseconds(100), milliseconds(300)};
  options.jitter = [] { return 0.0; };
  return options;
}

TEST_F(FollowerTest, WaitsLongerEachTimeUntilItWorks) {
  write(Verb::kCreate, thing("a", 1));
  Unsteady world(*store_);
  world.failing_lists = 4;
  Follower follower(world, slower_each_time());
  std::vector<int> pauses;
  for (int i = 0; i < 4; ++i) {
    const Follower::Step step = follower.next(milliseconds(0));
    EXPECT_TRUE(step.error);
    pauses.push_back(static_cast<int>(step.pause.count()));
  }
  EXPECT_THAT(pauses, ElementsAre(0, 100, 200, 300));
  EXPECT_THAT(shown(follower.next(milliseconds(0))), ElementsAre("+a1"));
}

TEST_F(FollowerTest, DoesNotSpinWhereEveryWatchLosesItsPlaceAtOnce) {
  write(Verb::kCreate, thing("a", 1));
  Unsteady world(*store_);
  world.lost_watches = 5;
  Follower follower(world, slower_each_time());
  EXPECT_THAT(shown(follower.next(milliseconds(0))), ElementsAre("+a1"));
  std::vector<int> pauses;
  for (int i = 0; i < 5; ++i) {
    pauses.push_back(static_cast<int>(follower.next(milliseconds(0)).pause.count()));
    const Follower::Step listed = follower.next(milliseconds(0));
    EXPECT_FALSE(listed.error);
    EXPECT_THAT(listed.events, IsEmpty()) << "nothing has changed";
  }
  EXPECT_THAT(pauses, ElementsAre(0, 100, 200, 300, 300));
  EXPECT_FALSE(follower.next(milliseconds(0)).error) << "a watch that works";
}

TEST_F(FollowerTest, SaysNothingMoreWhenItIsStopped) {
  write(Verb::kCreate, thing("a", 1));
  Follower follower(*store_);
  follower.stop();
  const Follower::Step step = follower.next(std::chrono::hours(1));
  EXPECT_THAT(step.events, IsEmpty());
  EXPECT_FALSE(step.error);
}

}  // namespace
}  // namespace portico::controllers
