// Lists of earlier versions and lists in pages, compared with complete lists taken at the time.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

#include "store/tests/store_fixture.h"
#include "testing/cases.h"

namespace portico::store {

using registry::Listing;
using registry::Query;
using registry::Registry;
using registry::ResourceVersion;
using registry::Verb;
using registry::Write;

namespace {

std::vector<std::string> keys(const std::vector<json::Value>& objects) {
  std::vector<std::string> out;
  out.reserve(objects.size());
  for (const json::Value& each : objects)
    out.push_back(krm::object_key(each).text() + " " +
                  std::to_string(krm::resource_version_of(each)));
  return out;
}

Write arbitrary_write() {
  const auto below = [](int end) { return *rc::gen::inRange(0, end); };
  const json::Value object =
      thing("t" + std::to_string(below(12)), below(3))
          .with("kind", below(3) == 0 ? "Other" : "Thing")
          .with_at({"metadata", "namespace"}, "n" + std::to_string(below(3)))
          .with_at({"metadata", "labels", "app"}, "a" + std::to_string(below(3)));
  constexpr Verb kVerbs[] = {Verb::kCreate, Verb::kCreate, Verb::kUpdate, Verb::kDelete};
  return {kVerbs[below(4)], object};
}

std::vector<Query> queries() {
  const krm::GroupKind type{"test", "Thing"};
  return {{},
          {.type = type},
          {.ns = "n1"},
          {.type = type, .ns = "n1"},
          {.type = type, .labels = *krm::LabelSelector::parse("app=a1")},
          {.labels = *krm::LabelSelector::parse("app in (a0,a2)")},
          {.labels = *krm::LabelSelector::parse("app!=a1")},
          {.type = type, .ns = "n1", .fields = {{"n", "1"}}},
          {.type = type, .fields = {{"n", "1", false}}},
          {.name = "t3"},
          {.type = {"test", "None"}}};
}

// With writes between the pages.
std::vector<json::Value> in_pages(Registry& store, Query query, const Listing& whole) {
  std::vector<json::Value> out;
  query.limit = static_cast<std::size_t>(*rc::gen::inRange(1, 6));
  for (bool first = true; first || !query.continue_from.empty(); first = false) {
    const auto page = store.list(query);
    RC_ASSERT(page.ok());
    RC_ASSERT(page->version == whole.version);
    RC_ASSERT(page->objects.size() <= query.limit);
    RC_ASSERT(page->next.empty() || page->objects.size() == query.limit);
    out.insert(out.end(), page->objects.begin(), page->objects.end());
    const bool counts = query.labels == krm::LabelSelector() && query.fields.empty() &&
                        query.name.empty() && !page->next.empty();
    RC_ASSERT(page->remaining.has_value() == counts);
    if (counts) RC_ASSERT(*page->remaining == whole.objects.size() - out.size());
    query.continue_from = page->next;
    if (*rc::gen::inRange(0, 2) == 0) (void)store.commit({arbitrary_write()});
  }
  return out;
}

RC_GTEST_PROP(Listing, OfAnyKeptVersionIsWhatItWasInPagesToo, ()) {
  constexpr std::size_t kWindow = 40;
  const auto store = open_or_die(
      {.watch_window = kWindow, .indexes = {{{"test", "Thing"}, "n", {{"spec", "n"}}}}});
  std::map<ResourceVersion, std::vector<Listing>> then;  // by version, one per query
  const auto remember = [&] {
    auto& all = then[store->version()];
    if (!all.empty()) return;
    for (const Query& query : queries()) all.push_back(*store->list(query));
  };
  remember();
  for (int left = *rc::gen::inRange(0, 100); left > 0; --left) {
    (void)store->commit_each({arbitrary_write(), arbitrary_write()});
    remember();
  }
  for (const auto& [version, listings] : then) {
    if (*rc::gen::inRange(0, 4) != 0) continue;
    for (std::size_t i = 0; i < listings.size(); ++i) {
      Query query = queries()[i];
      query.version = version;
      const auto again = store->list(query);
      if (!again) {
        RC_ASSERT(again.error().reason == Reason::kExpired);
        RC_ASSERT(version + kWindow < store->version());
        continue;
      }
      RC_ASSERT(again->version == version);
      RC_ASSERT(keys(again->objects) == keys(listings[i].objects));
      RC_ASSERT(again->objects == listings[i].objects);
    }
  }
  for (const Query& query : queries()) {
    const Listing whole = *store->list(query);
    RC_ASSERT(keys(in_pages(*store, query, whole)) == keys(whole.objects));
  }
}

TEST(Listing, PagesEndWhenTheirVersionIsNoLongerKept) {
  const auto store = open_or_die({.watch_window = 3});
  for (const char* name : {"a", "b", "c"})
    ASSERT_TRUE(store->commit({{Verb::kCreate, thing(name)}}));
  const Listing first = *store->list({.limit = 2});
  EXPECT_EQ(first.remaining, 1u);
  for (int i = 1; i < 6; ++i) ASSERT_TRUE(store->commit({{Verb::kUpdate, thing("a", i)}}));
  const auto second = store->list({.limit = 2, .continue_from = first.next});
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, Code::kNotFound);
  EXPECT_EQ(second.error().reason, Reason::kExpired);
  EXPECT_EQ(store->list({.version = store->version() + 1}).error().reason, Reason::kExpired);
}

TEST(Listing, PagesGoOnAfterARestart) {
  testing::TempDir folder;
  std::string next;
  {
    const auto store = open_or_die({.folder = folder.path()});
    for (const char* name : {"a", "b", "c"})
      ASSERT_TRUE(store->commit({{Verb::kCreate, thing(name)}}));
    next = store->list({.limit = 1})->next;
    ASSERT_TRUE(store->commit({{Verb::kDelete, thing("c")}}));
  }
  const auto store = open_or_die({.folder = folder.path()});
  const Listing rest = *store->list({.continue_from = next});
  ASSERT_EQ(rest.objects.size(), 2u);
  EXPECT_EQ(krm::name_of(rest.objects[1]), "c");
  EXPECT_EQ(rest.next, "");
}

TEST(Listing, RefusesWhatDoesNotGoTogether) {
  const auto store = open_or_die({});
  for (const char* name : {"a", "b"}) ASSERT_TRUE(store->commit({{Verb::kCreate, thing(name)}}));
  const Listing first = *store->list({.limit = 1});
  const auto other = store->list({.continue_from = first.next, .version = first.version - 1});
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().reason, Reason::kBadRequest);
  EXPECT_EQ(store->list({.continue_from = "x"}).error().reason, Reason::kBadRequest);
}

}  // namespace
}  // namespace portico::store
