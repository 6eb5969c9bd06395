// The embedded store as a whole: lists, watches, threads, restarts, foreign files.
#include "store/embedded.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <fstream>
#include <thread>

#include "store/layout.h"
#include "store/tests/store_fixture.h"
#include "testing/cases.h"

namespace portico::store {

using registry::Change;
using registry::Event;
using registry::index_value;
using registry::Listing;
using registry::Query;
using registry::Registry;
using registry::ResourceVersion;
using registry::Verb;

namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> names(const Result<Listing>& listing) {
  std::vector<std::string> out;
  if (!listing) return {listing.error().text()};
  for (const json::Value& object : listing->objects)
    out.push_back(std::string(krm::namespace_of(object)) + "/" + std::string(krm::name_of(object)));
  return out;
}

std::vector<json::Value> everything(const Registry& store) {
  return store.list({.type = {"test", "Thing"}})->objects;
}

Query query() { return {.type = {"test", "Thing"}}; }

TEST(Fork, BeginsAsTheOtherAndGoesItsOwnWay) {
  const portico::testing::TempDir folder;
  const auto options = [&] {
    return EmbeddedOptions{.folder = folder.path(),
                           .indexes = {{{"test", "Thing"}, "n", {{"spec", "n"}}}}};
  };
  auto store = open_or_die(options());
  for (const char* name : {"a", "b", "c"})
    ASSERT_TRUE(store->commit({{Verb::kCreate, thing(name, 1)}}));
  const auto before = everything(*store);
  auto fork = *store->fork();
  EXPECT_EQ(everything(*fork), before) << "resourceVersions and uids, too";
  EXPECT_EQ(fork->version(), store->version());

  const auto watch = fork->watch(query(), fork->version());
  ASSERT_TRUE(fork->commit({{Verb::kUpdate, thing("a", 2)}, {Verb::kDelete, thing("b")}}));
  ASSERT_TRUE(fork->commit({{Verb::kCreate, thing("d", 2)}}));
  EXPECT_EQ(watch->next(milliseconds(0))->size(), 3U) << "it is watched as any other";
  Query two = query();
  two.fields = {{"n", "2"}};
  EXPECT_THAT(names(fork->list(two)), ElementsAre("default/a", "default/d"));
  const json::Value stale = thing("c", 3).with_at({"metadata", "resourceVersion"}, "999");
  EXPECT_EQ(fork->commit({{Verb::kUpdate, stale}}).error().text(),
            store->commit({{Verb::kUpdate, stale}}).error().text());
  EXPECT_EQ(everything(*store), before);

  ASSERT_TRUE(store->commit({{Verb::kCreate, thing("e", 2)}}));
  EXPECT_FALSE(fork->get(thing_key("e"))) << "nor does it see what comes later";
  auto again = *fork->fork();
  EXPECT_EQ(everything(*again), everything(*fork));
  store.reset();
  EXPECT_THAT(names(again->list(query())), ElementsAre("default/a", "default/c", "default/d"));
  EXPECT_THAT(names(open_or_die(options())->list(query())),
              ElementsAre("default/a", "default/b", "default/c", "default/e"));
}

TEST(Lists, ByNamespaceLabelOwnerAndField) {
  const krm::GroupKind type = {"test", "Thing"};
  const auto store = open_or_die(
      {.indexes = {{type, "n", {{"spec", "n"}}},
                   {type, "repo", {{"spec", "targets", "[]", "repo"}}},
                   {type, "repo+n", {{"spec", "targets", "[]", "repo"}, {"spec", "n"}}}}});
  const json::Value owner = store->commit({{Verb::kCreate, thing("owner", 7)}})->at(0);
  const auto create = [&](std::string_view ns, std::string_view name, std::string_view app, int n) {
    json::Value object = thing(name, n)
                             .with_at({"metadata", "namespace"}, ns)
                             .with_at({"metadata", "labels", "app"}, app);
    if (ns == "default") {
      object = krm::with_owners(
          object, {{"test/v1", "Thing", "owner", std::string(krm::uid_of(owner)), true, false}});
      object = object.with_at({"spec", "targets"}, value(R"([{"repo":"r1"},{"repo":"r2"}])"));
    }
    ASSERT_TRUE(store->commit({{Verb::kCreate, object}}));
  };
  create("default", "b", "web", 1);
  create("default", "a", "db", 2);
  create("far", "a", "web", 1);
  create("far", "c", "web", 2);

  EXPECT_THAT(names(store->list(query())),
              ElementsAre("default/a", "default/b", "default/owner", "far/a", "far/c"));
  Query one = query();
  one.ns = "far";
  EXPECT_THAT(names(store->list(one)), ElementsAre("far/a", "far/c"));
  one.labels = *krm::LabelSelector::parse("app=web");
  one.fields = {{"n", "2"}};
  EXPECT_THAT(names(store->list(one)), ElementsAre("far/c"));
  one = query();
  one.labels = *krm::LabelSelector::parse("app in (web,db),app!=x");
  EXPECT_THAT(names(store->list(one)), ElementsAre("default/a", "default/b", "far/a", "far/c"));
  one.labels = *krm::LabelSelector::parse("!app");
  EXPECT_THAT(names(store->list(one)), ElementsAre("default/owner"));
  one = query();
  one.owner = std::string(krm::uid_of(owner));
  EXPECT_THAT(names(store->list(one)), ElementsAre("default/a", "default/b"));
  one = query();
  one.fields = {{"repo", "r2"}};
  EXPECT_THAT(names(store->list(one)), ElementsAre("default/a", "default/b"));
  one.fields = {{"repo+n", index_value({"r2", "2"})}};
  EXPECT_THAT(names(store->list(one)), ElementsAre("default/a"));
  one.fields = {{"repo", "r2"}, {"n", "1"}};
  EXPECT_THAT(names(store->list(one)), ElementsAre("default/b"));
  one.fields = {{"repo", "r2", false}};
  EXPECT_THAT(names(store->list(one)), ElementsAre("default/owner", "far/a", "far/c"));
  one.fields = {{"repo", "r2", false}, {"n", "2"}};
  EXPECT_THAT(names(store->list(one)), ElementsAre("far/c"));
  one.fields.clear();
  one.name = "a";
  EXPECT_THAT(names(store->list(one)), ElementsAre("default/a", "far/a"));
  one.labels = *krm::LabelSelector::parse("app=web");
  EXPECT_THAT(names(store->list(one)), ElementsAre("far/a"));
  one.ns = "far";
  EXPECT_THAT(names(store->list(one)), ElementsAre("far/a"));
  one.labels = *krm::LabelSelector::parse("app=db");
  EXPECT_THAT(names(store->list(one)), ElementsAre());
  one = query();
  one.fields = {{"unknown", "x"}};
  EXPECT_THAT(names(store->list(one)), ElementsAre(HasSubstr("no selectable field \"unknown\"")));

  // A label change moves the object in the index.
  ASSERT_TRUE(store->commit({{Verb::kUpdate, thing("b", 5)}}));
  one = query();
  one.labels = *krm::LabelSelector::parse("app=web");
  EXPECT_THAT(names(store->list(one)), ElementsAre("far/a", "far/c"));
}

TEST(Lists, EveryKindWhereNoneIsNamed) {
  const auto store = open_or_die({.indexes = {{{"test", "Thing"}, "n", {{"spec", "n"}}}}});
  const json::Value owner = store->commit({{Verb::kCreate, thing("owner")}})->at(0);
  for (const char* kind : {"Thing", "Other"}) {
    const json::Value owned = krm::with_owners(
        thing("b").with("kind", kind),
        {{"test/v1", "Thing", "owner", std::string(krm::uid_of(owner)), true, false}});
    ASSERT_TRUE(store->commit({{Verb::kCreate, owned}}));
  }
  const auto keys = [&](const Query& query) {
    std::vector<std::string> out;
    const Listing all = *store->list(query);
    for (const json::Value& each : all.objects) out.push_back(krm::object_key(each).text());
    return out;
  };
  EXPECT_THAT(keys({}), ElementsAre("Other.test default/b", "Thing.test default/b",
                                    "Thing.test default/owner"));
  EXPECT_THAT(keys({.owner = std::string(krm::uid_of(owner))}),
              ElementsAre("Other.test default/b", "Thing.test default/b"));
  EXPECT_EQ(store->list({.fields = {{"n", "0"}}}).error().code, Code::kInvalid);
}

TEST(Lists, HandOutTheStoredObjectItself) {
  const auto store = open_or_die({});
  const json::Value stored = store->commit({{Verb::kCreate, thing("a")}})->at(0);
  EXPECT_TRUE(store->get(thing_key("a"))->same_as(stored));
  EXPECT_TRUE(everything(*store).at(0).same_as(stored));
  EXPECT_EQ(store->get(thing_key("b")).error().code, Code::kNotFound);
}

TEST(Lists, RefuseIndexesThatCannotWork) {
  const krm::GroupKind type = {"test", "Thing"};
  EXPECT_FALSE(open_embedded({.indexes = {{type, "x", {{"a"}}}, {type, "x", {{"b"}}}}}));
  EXPECT_FALSE(open_embedded({.indexes = {{type, "x", {}}}}));
  EXPECT_FALSE(open_embedded({.indexes = {{type, "x", {{"a", "[]"}, {"b", "[]"}}}}}));
}

TEST(IndexValue, KeepsPartsApart) {
  EXPECT_EQ(index_value({"a"}), "a");
  EXPECT_NE(index_value({"a", "b:c"}), index_value({"a:b", "c"}));
  EXPECT_NE(index_value({"1:", ""}), index_value({"", "1:"}));
}

TEST(Watches, ResumeFilterAndEnd) {
  const auto store = open_or_die({});
  const ResourceVersion start = store->version();
  ASSERT_TRUE(store->commit({{Verb::kCreate, thing("a")}}));
  ASSERT_TRUE(store->commit({{Verb::kCreate, thing("m").with("kind", "Other")}}));
  const ResourceVersion middle = store->version();
  ASSERT_TRUE(store->commit({{Verb::kUpdate, thing("a", 1)}}));
  ASSERT_TRUE(store->commit({{Verb::kDelete, thing("a")}}));

  const auto things = store->watch({.type = {"test", "Thing"}}, start);
  auto events = *things->next(milliseconds(0));
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[1].previous["spec"]["n"].as_int(), 0);
  EXPECT_EQ(events[1].object["spec"]["n"].as_int(), 1);
  EXPECT_EQ(events[2].change, Change::kDeleted);
  EXPECT_EQ(events[2].object["spec"]["n"].as_int(), 1);
  EXPECT_TRUE(things->next(milliseconds(0))->empty());

  EXPECT_EQ(store->watch({}, middle)->next(milliseconds(0))->size(), 2u);
  for (const ResourceVersion gone : {0, 99}) {
    const Error error = store->watch({}, gone)->next(milliseconds(0)).error();
    EXPECT_EQ(error.code, Code::kNotFound);
    EXPECT_EQ(error.reason, Reason::kExpired);
  }

  std::jthread waiting([&] { EXPECT_TRUE(things->next(std::chrono::hours(1))->empty()); });
  things->stop();
}

TEST(Watches, OutliveTheStore) {
  auto store = open_or_die({});
  const auto watch = store->watch({}, store->version());
  std::jthread waiting([&] { EXPECT_TRUE(watch->next(std::chrono::hours(1))->empty()); });
  store.reset();
  waiting.join();
  EXPECT_TRUE(watch->next(std::chrono::hours(1))->empty());
}

TEST(Watches, ThatAreTooOldMustListAgain) {
  testing::TempDir folder;
  {
    const auto store = open_or_die({.folder = folder.path(), .watch_window = 10});
    const ResourceVersion start = store->version();
    for (int i = 0; i < 40; ++i) {
      const std::string name = "t" + std::to_string(i % 3);
      const Verb verb = i < 3 ? Verb::kCreate : i == 20 ? Verb::kDelete : Verb::kUpdate;
      (void)store->commit({{verb, thing(name, i)}});
    }
    EXPECT_EQ(store->watch({}, start)->next(milliseconds(0)).error().reason, Reason::kExpired);
    const auto recent = store->watch({}, store->version() - 10);
    EXPECT_EQ(recent->next(milliseconds(0))->size(), 10u);
    EXPECT_EQ(everything(*store).size(), 2u);
  }
  // The same window after a restart with a smaller limit: it shrinks on the next write.
  const auto store = open_or_die({.folder = folder.path(), .watch_window = 5});
  const auto recent = store->watch({}, store->version() - 10)->next(milliseconds(0));
  ASSERT_TRUE(recent) << recent.error().text();
  ASSERT_EQ(recent->size(), 10u);
  for (const Event& event : *recent) EXPECT_EQ(event.change, Change::kModified);
  EXPECT_EQ(recent->at(9).previous["spec"]["n"].as_int() + 3,
            recent->at(9).object["spec"]["n"].as_int());
  EXPECT_EQ(everything(*store).size(), 2u);
}

TEST(Restart, GivesBackObjectsEventsAndVersions) {
  testing::TempDir folder;
  std::vector<json::Value> objects;
  std::vector<Event> events;
  ResourceVersion version = 0;
  {
    const auto store = open_or_die({.folder = folder.path()});
    ASSERT_TRUE(store->commit({{Verb::kCreate, thing("a")},
                               {Verb::kCreate, thing("b")},
                               {Verb::kUpdate, thing("a", 3)},
                               {Verb::kDelete, thing("b")},
                               {Verb::kCreate, thing("b", 4)}}));
    ASSERT_TRUE(store->commit({{Verb::kDelete, thing("a")}}));
    objects = everything(*store);
    events = *store->watch({}, 1)->next(milliseconds(0));
    version = store->version();
  }
  const auto store = open_or_die({.folder = folder.path()});
  EXPECT_EQ(everything(*store), objects);
  EXPECT_EQ(store->version(), version);
  const auto again = *store->watch({}, 1)->next(milliseconds(0));
  ASSERT_EQ(again.size(), events.size());
  for (std::size_t i = 0; i < events.size(); ++i) {
    EXPECT_EQ(again[i].version, events[i].version);
    EXPECT_EQ(again[i].change, events[i].change);
    EXPECT_EQ(again[i].object, events[i].object);
    EXPECT_EQ(again[i].previous, events[i].previous);
  }
}

TEST(Restart, RefusesWhatItCouldNotReadAgain) {
  testing::TempDir folder;
  json::Value deep;
  for (int i = 0; i < 600; ++i) deep = json::Value::array({deep});
  {
    const auto store = open_or_die({.folder = folder.path(), .object_bytes = 4096});
    for (const json::Value& bad :
         {thing("a").with_at({"spec", "text"}, "\xff\xfe"),
          thing("a").with_at({"spec", "n"}, std::numeric_limits<double>::infinity()),
          thing("a").with_at({"spec", "deep"}, deep),
          thing("a").with_at({"spec", "big"}, std::string(5000, 'x'))}) {
      const auto refused = store->commit({{Verb::kCreate, bad}});
      ASSERT_FALSE(refused);
      EXPECT_EQ(refused.error().code, Code::kInvalid);
    }
    ASSERT_TRUE(store->commit(
        {{Verb::kCreate, thing("a").with_at({"spec", "text"}, std::string("\0é", 3))}}));
  }
  EXPECT_EQ(everything(*open_or_die({.folder = folder.path()})).size(), 1u);
}

TEST(Owners, MayBeSomewhereElse) {
  const auto store = open_or_die({.owners_elsewhere = true});
  const auto owned_by = [&](const char* name, const std::string& uid) {
    return krm::with_owners(thing(name), {{"test/v1", "Thing", "owner", uid, true, false}});
  };
  const std::string here(krm::uid_of(store->commit({{Verb::kCreate, thing("owner")}})->at(0)));
  for (const json::Value& each :
       {owned_by("ours", here), owned_by("theirs", "in-the-cluster"),
        krm::with_owners(thing("both"), {{"test/v1", "Thing", "owner", here, true, false},
                                         {"v1", "ConfigMap", "far", "far-away", false, false}})})
    ASSERT_TRUE(store->commit({{Verb::kCreate, each}}));
  ASSERT_TRUE(store->commit({{Verb::kDelete, thing("owner")}}));
  EXPECT_THAT(names(store->list({})), ElementsAre("default/both", "default/theirs"));
  const auto both = store->get(krm::object_key(thing("both")));
  ASSERT_TRUE(both);
  EXPECT_EQ(krm::owners_of(*both).size(), 1u);
}

TEST(Folder, IsForOneProcess) {
  testing::TempDir folder;
  auto store = open_or_die({.folder = folder.path()});
  const auto second = open_embedded({.folder = folder.path()});
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, Code::kUnavailable);
  EXPECT_THAT(second.error().text(), HasSubstr("process " + std::to_string(getpid())));
  store.reset();
  EXPECT_TRUE(open_embedded({.folder = folder.path()}));
}

void run_sql(const std::filesystem::path& file, const char* sql) {
  sqlite3* db = nullptr;
  ASSERT_EQ(sqlite3_open(file.c_str(), &db), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(db, sql, nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(db);
  sqlite3_close(db);
}

/// The error of opening a store of three objects after `harm` was applied to its file.
std::string error_after(const std::function<void(const std::filesystem::path&)>& harm) {
  testing::TempDir folder;
  {
    const auto store = open_or_die({.folder = folder.path(), .watch_window = 1});
    for (const char* name : {"a", "b", "c"}) (void)store->commit({{Verb::kCreate, thing(name)}});
  }
  harm(folder.path() / "store.db");
  const std::string before = testing::read_file(folder.path() / "store.db");
  const auto opened = open_embedded({.folder = folder.path()});
  if (opened) return "opened";
  EXPECT_EQ(opened.error().code, Code::kInvalid) << opened.error().text();
  EXPECT_EQ(testing::read_file(folder.path() / "store.db"), before) << "the file was touched";
  return opened.error().text();
}

TEST(Damage, IsSaidNotGuessedAt) {
  using Path = std::filesystem::path;
  EXPECT_EQ(error_after([](const Path&) {}), "opened");
  EXPECT_THAT(error_after([](const Path& file) {
                testing::write_file(file,
                                    "no database, but quite some text " + std::string(5000, 'x'));
              }),
              HasSubstr("not a Portico store"));
  EXPECT_THAT(error_after([](const Path& file) {
                std::filesystem::remove(file);
                run_sql(file, "CREATE TABLE songs(title)");
              }),
              HasSubstr("another program"));
  EXPECT_THAT(error_after([](const Path& file) { run_sql(file, "PRAGMA user_version = 9"); }),
              HasSubstr("layout 9"));
  EXPECT_THAT(error_after([](const Path& file) { run_sql(file, "DELETE FROM log WHERE rv = 3"); }),
              HasSubstr("missing"));
  EXPECT_THAT(error_after([](const Path& file) {
                run_sql(file, "UPDATE log SET v = '{\"kind\"' WHERE rv = 4");
              }),
              HasSubstr("version 4"));
  EXPECT_THAT(error_after([](const Path& file) {
                run_sql(file, "UPDATE log SET v = (SELECT v FROM log WHERE rv = 2) WHERE rv = 3");
              }),
              HasSubstr("does not match its key"));
  EXPECT_THAT(error_after([](const Path& file) { run_sql(file, "DROP TABLE log"); }),
              HasSubstr("no such table"));
  EXPECT_THAT(error_after([](const Path& file) {
                std::fstream bytes(file, std::ios::in | std::ios::out | std::ios::binary);
                bytes.seekp(16384);
                bytes << std::string(16384 * 2, '\x5a');
              }),
              HasSubstr("damaged"));
  EXPECT_THAT(error_after([](const Path& file) {
                std::filesystem::resize_file(file, std::filesystem::file_size(file) / 2);
              }),
              HasSubstr("damaged"));
}

// A file system may leave a file empty if it lost the last writes. SQLite takes it for a new one
// and discards its -wal.
TEST(Damage, AnEmptiedFileIsNoNewStore) {
  const testing::TempDir folder, copy;
  const auto store = open_or_die({.folder = folder.path()});
  ASSERT_TRUE(store->commit({{Verb::kCreate, thing("a")}}));
  const std::string log = testing::read_file(folder.path() / "store.db-wal");
  ASSERT_FALSE(log.empty());
  testing::write_file(copy.path() / "store.db-wal", log);
  testing::write_file(copy.path() / "store.db", "");
  for (const auto& open : {open_embedded, open_snapshot}) {
    const auto opened = open({.folder = copy.path()});
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, Code::kInvalid);
    EXPECT_THAT(opened.error().text(), HasSubstr("it is empty"));
    EXPECT_EQ(testing::read_file(copy.path() / "store.db-wal"), log) << "nothing is touched";
  }
}

/// The contents of a folder: name to bytes.
std::map<std::string, std::string> files_of(const std::filesystem::path& folder) {
  std::map<std::string, std::string> out;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) out[entry.path().string()] = testing::read_file(entry.path());
  return out;
}

TEST(LaterLayout, IsLeftAsItIs) {
  testing::TempDir folder;
  {
    const auto store = open_or_die({.folder = folder.path()});
    (void)store->commit({{Verb::kCreate, thing("a")}});
  }
  run_sql(folder.path() / "store.db", "PRAGMA user_version = 2");
  std::filesystem::remove(folder.path() / "store.lock");
  const auto before = files_of(folder.path());
  for (const bool reads : {false, true}) {
    const auto opened =
        reads ? open_snapshot({.folder = folder.path()}) : open_embedded({.folder = folder.path()});
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, Code::kInvalid);
    EXPECT_THAT(opened.error().text(), HasSubstr("layout 2"));
    EXPECT_THAT(opened.error().text(), HasSubstr("install the version that wrote it"));
  }
  EXPECT_EQ(files_of(folder.path()), before);
}

TEST(LaterLayout, IsLeftAsItIsWhereItsWriterWasKilled) {
  testing::TempDir folder, killed;
  {
    const auto store = open_or_die({.folder = folder.path()});
    (void)store->commit({{Verb::kCreate, thing("a")}});
  }
  sqlite3* db = nullptr;
  ASSERT_EQ(sqlite3_open((folder.path() / "store.db").c_str(), &db), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(db, "PRAGMA wal_autocheckpoint = 0; PRAGMA user_version = 2", nullptr,
                         nullptr, nullptr),
            SQLITE_OK);
  for (const char* name : {"store.db", "store.db-wal"})
    std::filesystem::copy(folder.path() / name, killed.path() / name);
  sqlite3_close(db);
  const auto before = files_of(killed.path());
  EXPECT_TRUE(check_layout(killed.path())) << "the file itself is as it was";
  for (const bool reads : {false, true}) {
    const auto opened =
        reads ? open_snapshot({.folder = killed.path()}) : open_embedded({.folder = killed.path()});
    ASSERT_FALSE(opened);
    EXPECT_THAT(opened.error().text(), HasSubstr("layout 2"));
  }
  auto after = files_of(killed.path());
  for (const auto& [name, bytes] : before) EXPECT_EQ(after[name], bytes) << name;
}

TEST(Threads, LoseNoUpdateAndSeeEveryEvent) {
  constexpr int kThreads = 8, kEach = 50;
  testing::TempDir folder;
  const auto store = open_or_die({.folder = folder.path()});
  ASSERT_TRUE(store->commit({{Verb::kCreate, thing("counter")}}));
  const ResourceVersion start = store->version();
  std::atomic<bool> written = false;

  std::jthread watching([&] {
    const auto watch = store->watch({}, start);
    ResourceVersion seen = start;
    std::int64_t count = 0;
    while (count < kThreads * kEach) {
      const auto events = watch->next(std::chrono::seconds(60));
      ASSERT_TRUE(events);
      ASSERT_FALSE(events->empty());
      for (const Event& event : *events) {
        EXPECT_EQ(event.version, ++seen);
        EXPECT_EQ(event.object["spec"]["n"].as_int(), ++count);
        EXPECT_EQ(event.previous["spec"]["n"].as_int(), count - 1);
      }
    }
  });
  std::jthread reading([&] {
    while (!written) {
      const auto listing = store->list(query());
      ASSERT_EQ(listing->objects.size(), 1u);
      EXPECT_GE(listing->version, krm::resource_version_of(listing->objects[0]));
    }
  });
  {
    std::vector<std::jthread> writing;
    for (int i = 0; i < kThreads; ++i) {
      writing.emplace_back([&] {
        for (int done = 0; done < kEach;) {
          const json::Value now = *store->get(thing_key("counter"));
          const auto next = now.with_at({"spec", "n"}, now["spec"]["n"].as_int() + 1);
          const auto stored = store->commit({{Verb::kUpdate, next}});
          if (stored)
            ++done;
          else
            ASSERT_EQ(stored.error().code, Code::kConflict);
        }
      });
    }
  }
  written = true;
  EXPECT_EQ((*store->get(thing_key("counter")))["spec"]["n"].as_int(), kThreads * kEach);
}

TEST(FolderOfAStore, NamesWhoHasItHoweverOftenItIsAsked) {
  const portico::testing::TempDir folder;
  const std::string pid = std::to_string(getpid());
  {
    const auto store = open_embedded({.folder = folder.path()});
    ASSERT_TRUE(store) << store.error().text();
    for (int i = 0; i < 2; ++i)
      EXPECT_NE(open_embedded({.folder = folder.path()}).error().text().find(pid),
                std::string::npos);
    EXPECT_FALSE(was_killed(folder.path())) << "somebody has it";
  }
  EXPECT_FALSE(was_killed(folder.path())) << "it came to its end";
  portico::testing::write_file(folder.path() / "store.lock", "4194303\n");
  EXPECT_TRUE(was_killed(folder.path()));
}

}  // namespace
}  // namespace portico::store
