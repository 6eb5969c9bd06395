// Watches with a query: their events, which watches a write wakes, and bookmarks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <thread>

#include "store/tests/store_fixture.h"

namespace portico::store {

using registry::Change;
using registry::Event;
using registry::Query;
using registry::ResourceVersion;
using registry::Verb;
using registry::Watch;

namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

const krm::GroupKind kThing{"test", "Thing"};

json::Value labelled(std::string_view name, std::string_view app, std::int64_t n = 0) {
  return thing(name, n).with_at({"metadata", "labels", "app"}, app);
}

/// "+a", "~a", "-a" with their versions.
std::vector<std::string> shown(Watch& watch) {
  std::vector<std::string> out;
  const auto events = watch.next(milliseconds(0));
  if (!events) return {events.error().text()};
  for (const Event& event : *events) {
    constexpr const char* kSigns[] = {"+", "~", "-"};
    out.push_back(fmt::format("{}{} {}", kSigns[static_cast<int>(event.change)],
                              krm::name_of(event.object), event.version));
    EXPECT_EQ(krm::resource_version_of(event.object), event.version);
    EXPECT_EQ(event.previous.is_null(), event.change == Change::kAdded);
  }
  return out;
}

TEST(Watches, ShowAsAddedAndDeletedWhatComesToMeetTheQueryAndNoLongerDoes) {
  const auto store = open_or_die({.indexes = {{kThing, "n", {{"spec", "n"}}}}});
  const auto web = store->watch({.type = kThing, .labels = *krm::LabelSelector::parse("app=web")},
                                store->version());
  const auto ones = store->watch({.type = kThing, .fields = {{"n", "1"}}}, store->version());
  const ResourceVersion start = store->version();
  ASSERT_TRUE(store->commit({{Verb::kCreate, labelled("a", "db")},
                             {Verb::kUpdate, labelled("a", "web")},
                             {Verb::kUpdate, labelled("a", "web", 1)},
                             {Verb::kUpdate, labelled("a", "db", 1)},
                             {Verb::kDelete, labelled("a", "db")}}));
  EXPECT_EQ(start, 1u);
  const auto events = *store->watch({.labels = *krm::LabelSelector::parse("app=web")}, start)
                           ->next(milliseconds(0));
  EXPECT_THAT(shown(*web), ElementsAre("+a 3", "~a 4", "-a 5"));
  EXPECT_THAT(shown(*ones), ElementsAre("+a 4", "~a 5", "-a 6"));
  // The last state that matched.
  EXPECT_EQ(krm::label_of(events[2].object, "app"), "web");
}

TEST(Watches, RefuseTheQueriesThatListsRefuse) {
  const auto store = open_or_die({});
  const auto watch = store->watch({.type = kThing, .fields = {{"x", "1"}}}, store->version());
  EXPECT_EQ(watch->next(milliseconds(0)).error().code, Code::kInvalid);
}

struct Asked {
  std::map<krm::ObjectKey, json::Value> followed;
  std::unique_ptr<Watch> watch;
};

void follow(Asked& asked) {
  ResourceVersion last = 0;
  for (auto events = asked.watch->next(milliseconds(0));;
       events = asked.watch->next(milliseconds(0))) {
    RC_ASSERT(events.ok());
    if (events->empty()) return;
    for (const Event& event : *events) {
      RC_ASSERT(event.version > last);
      last = event.version;
      const krm::ObjectKey key = krm::object_key(event.object);
      RC_ASSERT(asked.followed.contains(key) == (event.change != Change::kAdded));
      if (event.change == Change::kDeleted)
        asked.followed.erase(key);
      else
        asked.followed[key] = event.object;
    }
  }
}

RC_GTEST_PROP(Watches, LeadFromOneListOfTheQueryToTheNext, ()) {
  const auto store = open_or_die({.indexes = {{kThing, "n", {{"spec", "n"}}}}});
  const auto below = [](int end) { return *rc::gen::inRange(0, end); };
  const std::vector<Query> queries{{},
                                   {.type = kThing},
                                   {.type = {"test", "Other"}, .ns = "n1"},
                                   {.ns = "n0", .name = "t1"},
                                   {.name = "t2"},
                                   {.labels = *krm::LabelSelector::parse("app=a0")},
                                   {.ns = "n1", .labels = *krm::LabelSelector::parse("app!=a1")},
                                   {.type = kThing, .fields = {{"n", "1"}}},
                                   {.type = kThing, .ns = "n1", .fields = {{"n", "1", false}}}};
  std::vector<Asked> all(queries.size());
  for (std::size_t i = 0; i < queries.size(); ++i)
    all[i].watch = store->watch(queries[i], store->version());
  for (int left = below(60); left > 0; --left) {
    const json::Value object =
        labelled("t" + std::to_string(below(3)), "a" + std::to_string(below(2)), below(3))
            .with("kind", below(3) == 0 ? "Other" : "Thing")
            .with_at({"metadata", "namespace"}, "n" + std::to_string(below(2)));
    constexpr Verb kVerbs[] = {Verb::kCreate, Verb::kUpdate, Verb::kUpdate, Verb::kDelete};
    (void)store->commit({{kVerbs[below(4)], object}});
    const std::size_t which = static_cast<std::size_t>(below(static_cast<int>(queries.size())));
    switch (below(3)) {
      case 0:
        follow(all[which]);
        break;
      case 1:  // continues from the bookmark
        all[which].watch = store->watch(queries[which], all[which].watch->version());
        break;
      default:
        break;
    }
  }
  for (std::size_t i = 0; i < queries.size(); ++i) {
    follow(all[i]);
    RC_ASSERT(all[i].watch->version() == store->version());
    std::vector<json::Value> now;
    for (const auto& [key, object] : all[i].followed) now.push_back(object);
    const auto want = store->list(queries[i]);
    RC_ASSERT(now == want->objects);
  }
}

TEST(Watches, AreToldOfWhatConcernsThemOnceUntilTheyHaveLooked) {
  const auto store = open_or_die({});
  std::map<std::string, int> told;
  const auto watch = [&](const char* name, const Query& query) {
    return store->watch(query, store->version(), [&told, name] { ++told[name]; });
  };
  const auto every = watch("every", {}), kind = watch("kind", {.type = kThing}),
             other = watch("other", {.type = {"test", "Other"}}),
             here = watch("here", {.ns = "default"}), far = watch("far", {.ns = "far"}),
             named = watch("named", {.type = kThing, .ns = "default", .name = "a"}),
             web = watch("web", {.labels = *krm::LabelSelector::parse("app=web")});
  const std::vector<Watch*> all{every.get(), kind.get(),  other.get(), here.get(),
                                far.get(),   named.get(), web.get()};
  ASSERT_TRUE(store->commit({{Verb::kCreate, thing("before")}}));
  EXPECT_THAT(told, IsEmpty()) << "nobody has looked yet";
  const auto look = [&] {
    for (Watch* each : all)
      while (!each->next(milliseconds(0))->empty()) continue;
    told.clear();
  };
  using Told = std::map<std::string, int>;
  look();
  for (int n = 0; n < 3; ++n) ASSERT_TRUE(store->commit({{Verb::kUpdate, thing("before", n + 1)}}));
  EXPECT_EQ(told, (Told{{"every", 1}, {"kind", 1}, {"here", 1}}));
  look();
  ASSERT_TRUE(store->commit({{Verb::kCreate, labelled("a", "web")}}));
  EXPECT_EQ(told, (Told{{"every", 1}, {"kind", 1}, {"here", 1}, {"named", 1}, {"web", 1}}));
  look();
  ASSERT_TRUE(store->commit({{Verb::kUpdate, labelled("a", "db")}}));
  EXPECT_EQ(told.at("web"), 1) << "it no longer meets the query";
  look();
  ASSERT_TRUE(store->commit({{Verb::kUpdate, labelled("a", "db", 2)}}));
  EXPECT_FALSE(told.contains("web"));
}

TEST(Watches, OfWhatIsQuietDoNotExpire) {
  const auto store = open_or_die({.watch_window = 4});
  const auto quiet = store->watch({.type = {"test", "Other"}}, store->version());
  const auto busy = store->watch({.type = kThing}, store->version());
  EXPECT_TRUE(quiet->next(milliseconds(0))->empty());
  EXPECT_TRUE(busy->next(milliseconds(0))->empty());
  ASSERT_TRUE(store->commit({{Verb::kCreate, thing("a")}}));
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(store->commit({{Verb::kUpdate, thing("a", i + 1)}}));
  EXPECT_EQ(busy->next(milliseconds(0)).error().reason, Reason::kExpired);
  EXPECT_EQ(quiet->version(), store->version());
  EXPECT_TRUE(quiet->next(milliseconds(0))->empty());
  ASSERT_TRUE(store->commit({{Verb::kCreate, thing("b").with("kind", "Other")}}));
  EXPECT_LT(quiet->version(), store->version());
  EXPECT_EQ(quiet->next(milliseconds(0))->size(), 1u);
}

TEST(Watches, AreToldOfTheEndAndOfNothingAfterTheirOwn) {
  auto store = open_or_die({});
  int told = 0;
  const auto watch = store->watch({}, store->version(), [&] { ++told; });
  EXPECT_TRUE(watch->next(milliseconds(0))->empty());
  {
    const auto gone = store->watch({}, store->version(), [] { ADD_FAILURE() << "it is gone"; });
    EXPECT_TRUE(gone->next(milliseconds(0))->empty());
  }
  ASSERT_TRUE(store->commit({{Verb::kCreate, thing("a")}}));
  EXPECT_EQ(told, 1);
  EXPECT_EQ(watch->next(milliseconds(0))->size(), 1u);
  EXPECT_TRUE(watch->next(milliseconds(0))->empty());
  store.reset();
  EXPECT_EQ(told, 2);
  EXPECT_TRUE(watch->next(std::chrono::hours(1))->empty());
}

// Watches that start and stop next to writers: each event once, in order.
TEST(Watches, LoseNothingBesideWriters) {
  constexpr int kWriters = 3, kEach = 150, kWatchers = 4;
  const auto store = open_or_die({});
  const ResourceVersion start = store->version();
  std::vector<std::jthread> threads;
  for (int i = 0; i < kWatchers; ++i) {
    threads.emplace_back([&, i] {
      const std::string app = i == 0 ? "" : "app=" + std::to_string(i - 1);
      const Query query{.type = kThing, .labels = *krm::LabelSelector::parse(app)};
      const int want = i == 0 ? kWriters * kEach : kEach;
      auto watch = store->watch(query, start);
      for (int seen = 0; seen < want;) {
        const auto events = watch->next(std::chrono::seconds(60));
        ASSERT_TRUE(events) << events.error().text();
        ASSERT_FALSE(events->empty());
        for (const Event& event : *events) EXPECT_EQ(event.change, Change::kAdded);
        seen += static_cast<int>(events->size());
        EXPECT_LE(seen, want);
        if (seen % 3 == 0) watch = store->watch(query, watch->version());
      }
    });
  }
  for (int i = 0; i < kWriters; ++i) {
    threads.emplace_back([&, i] {
      for (int n = 0; n < kEach; ++n)
        EXPECT_TRUE(store->commit(
            {{Verb::kCreate, labelled(fmt::format("t{}-{}", i, n), std::to_string(i))}}));
    });
  }
}

}  // namespace
}  // namespace portico::store
