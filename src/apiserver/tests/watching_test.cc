// Watches over an in-memory store: what they share of an event, and what each has of its own.
#include "apiserver/watching.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "apiserver/internal/channel.h"
#include "apiserver/package_view.h"
#include "http/memory_stream.h"
#include "json/text.h"
#include "packages/lineage.h"
#include "store/embedded.h"

namespace portico::apiserver {
namespace {

using json::Value;

Value config_map(const char* name, const char* app) {
  return Value::object({{"apiVersion", "v1"}, {"kind", "ConfigMap"}})
      .with_at({"metadata", "name"}, name)
      .with_at({"metadata", "namespace"}, "default")
      .with_at({"metadata", "labels", "app"}, app);
}

class Watching : public ::testing::Test {
 protected:
  Watching() : registry_(std::move(*store::open_embedded({}))) {}

  /// Starts a watch at the current version that adds `form` to the objects, and counts how often.
  std::shared_ptr<http::MemoryStream> watch(const std::string& form, const char* selector = "",
                                            registry::ResourceVersion ahead = 0) {
    WatchRequest wanted = request(form, selector);
    wanted.from = registry_->version() + ahead;
    return begin(std::move(wanted));
  }

  /// Requests with the same form and selector share one registry watch.
  WatchRequest request(const std::string& form, const char* selector = "") {
    WatchRequest wanted;
    WatchScope& sight = wanted.sight;
    sight.query.type = {"", "ConfigMap"};
    if (*selector != '\0') sight.query.labels = *krm::LabelSelector::parse(selector);
    sight.form = form;
    if (!form.empty()) sight.words = {form, selector};
    sight.shape = [this, form](const Value& object) {
      ++shaped_;
      return object.with("form", form);
    };
    sight.bookmark = [](registry::ResourceVersion version, bool) {
      return Value::object({{"metadata", Value::object({{"name", std::to_string(version)}})}});
    };
    wanted.timeout = std::chrono::minutes(1);
    return wanted;
  }

  std::shared_ptr<http::MemoryStream> begin(WatchRequest wanted) {
    const auto made =
        apiserver::watch({*registry_, pump_, printed_, channels_}, std::move(wanted), {});
    auto stream = std::make_shared<http::MemoryStream>();
    made.start(stream);
    streams_.push_back(stream);
    return stream;
  }

  std::shared_ptr<http::MemoryStream> watch_from(registry::ResourceVersion version) {
    WatchRequest wanted = request("/1");
    wanted.from = version;
    return begin(std::move(wanted));
  }

  void TearDown() override {
    for (const auto& stream : streams_) stream->close();
  }

  void write(registry::Verb verb, const Value& object) {
    ASSERT_TRUE(registry_->commit({{verb, object}}));
  }

  /// The next events of a watch, such as "ADDED one".
  static std::vector<std::string> events(http::MemoryStream& stream, std::size_t count) {
    std::vector<std::string> out;
    std::string text;
    while (out.size() < count) {
      const std::string more =
          stream.read(std::chrono::steady_clock::now() + std::chrono::minutes(1));
      if (more.empty()) break;
      text += more;
      for (std::size_t end; (end = text.find('\n')) != std::string::npos; text.erase(0, end + 1)) {
        const Value event = *json::parse(text.substr(0, end));
        out.push_back(std::string(event["type"].as_string()) + " " +
                      std::string(event["object"]["metadata"]["name"].as_string()) +
                      std::string(event["object"]["form"].as_string()));
      }
    }
    return out;
  }

  std::atomic<int> shaped_ = 0;
  std::unique_ptr<registry::Registry> registry_;
  PrintedEvents printed_;
  Channels channels_;
  std::vector<std::shared_ptr<http::MemoryStream>> streams_;
  Pump pump_{1};  // last: its jobs use all of the above
};

using Events = std::vector<std::string>;

TEST_F(Watching, PrintsAnEventOnceForAllOfOneForm) {
  const auto a = watch("/1"), b = watch("/1"), other = watch("/2"), own = watch("");
  write(registry::Verb::kCreate, config_map("one", "x"));
  EXPECT_EQ(events(*a, 1), Events{"ADDED one/1"});
  EXPECT_EQ(events(*b, 1), Events{"ADDED one/1"});
  EXPECT_EQ(events(*other, 1), Events{"ADDED one/2"});
  EXPECT_EQ(events(*own, 1), Events{"ADDED one"});
  EXPECT_EQ(shaped_, 3);
}

TEST_F(Watching, ShowsOneChangeAsEachSelectorSeesIt) {
  write(registry::Verb::kCreate, config_map("one", "x"));
  const auto all = watch("/1"), leaves = watch("/1", "app=x"), comes = watch("/1", "app=y");
  write(registry::Verb::kUpdate, config_map("one", "y"));
  write(registry::Verb::kDelete, config_map("one", "y"));
  EXPECT_EQ(events(*all, 2), (Events{"MODIFIED one/1", "DELETED one/1"}));
  EXPECT_EQ(events(*leaves, 1), Events{"DELETED one/1"});
  EXPECT_EQ(events(*comes, 2), (Events{"ADDED one/1", "DELETED one/1"}));
}

TEST_F(Watching, TellsWhatComesAfterAVersionOfTheFuture) {
  const auto later = watch("/1", "", 2);
  for (const char* name : {"one", "two", "three"})
    write(registry::Verb::kCreate, config_map(name, "x"));
  EXPECT_EQ(events(*later, 1), Events{"ADDED three/1"});
}

TEST_F(Watching, TellsWhoBeginsInThePastWhatOthersKnowAndNothingTwice) {
  const registry::ResourceVersion start = registry_->version();
  const auto first = watch_from(start);
  for (const char* name : {"one", "two"}) write(registry::Verb::kCreate, config_map(name, "x"));
  EXPECT_EQ(events(*first, 2), (Events{"ADDED one/1", "ADDED two/1"}));
  const auto past = watch_from(start), between = watch_from(start + 1),
             now = watch_from(registry_->version());
  write(registry::Verb::kCreate, config_map("three", "x"));
  EXPECT_EQ(events(*first, 1), Events{"ADDED three/1"});
  EXPECT_EQ(events(*past, 3), (Events{"ADDED one/1", "ADDED two/1", "ADDED three/1"}));
  EXPECT_EQ(events(*between, 2), (Events{"ADDED two/1", "ADDED three/1"}));
  EXPECT_EQ(events(*now, 1), Events{"ADDED three/1"});
  EXPECT_EQ(shaped_, 3) << "each change is printed once";
}

TEST_F(Watching, EndsOnlyTheOneThatBeginsTooFarInThePast) {
  registry_ = std::move(*store::open_embedded({.watch_window = 4}));
  const registry::ResourceVersion start = registry_->version();
  for (int i = 0; i < 10; ++i)
    write(registry::Verb::kCreate, config_map(("c" + std::to_string(i)).c_str(), "x"));
  const auto now = watch_from(registry_->version()), past = watch_from(start);
  const auto past_alone = begin([&] {
    WatchRequest wanted = request("/2");
    wanted.from = start;
    return wanted;
  }());
  write(registry::Verb::kCreate, config_map("one", "x"));
  EXPECT_EQ(events(*now, 1), Events{"ADDED one/1"});
  EXPECT_EQ(events(*past, 1), Events{"ERROR "});
  EXPECT_EQ(events(*past_alone, 1), Events{"ERROR "});
  EXPECT_EQ(events(*begin([&] {
              WatchRequest wanted = request("/2");
              wanted.from = registry_->version() - 1;
              return wanted;
            }()),
                   1),
            Events{"ADDED one/2"})
      << "who comes after one that had to end begins where it wants";
}

TEST_F(Watching, GoesOnForThoseWhoStay) {
  const auto a = watch("/1"), b = watch("/1");
  a->close();
  write(registry::Verb::kCreate, config_map("one", "x"));
  EXPECT_EQ(events(*b, 1), Events{"ADDED one/1"});
  b->close();
  write(registry::Verb::kCreate, config_map("two", "x"));
  const auto c = watch("/1");
  write(registry::Verb::kCreate, config_map("three", "x"));
  EXPECT_EQ(events(*c, 1), Events{"ADDED three/1"});
}

TEST_F(Watching, EndsAtItsTimeWithABookmark) {
  write(registry::Verb::kCreate, config_map("one", "x"));
  const auto stays = watch("/1");
  WatchRequest wanted = request("/1");
  wanted.from = registry_->version();
  wanted.bookmarks = true;
  wanted.timeout = std::chrono::seconds(1);
  const auto stream = begin(std::move(wanted));
  EXPECT_EQ(events(*stream, 2), Events{"BOOKMARK " + std::to_string(registry_->version())});
  EXPECT_TRUE(stream->is_over());
  write(registry::Verb::kCreate, config_map("two", "x"));
  EXPECT_EQ(events(*stays, 1), Events{"ADDED two/1"});
}

TEST_F(Watching, TellsEachOfManyWhoComeAndGoWhileThereAreWrites) {
  constexpr int kWriters = 2, kReaders = 4, kEach = 60;
  std::vector<std::thread> threads;
  std::atomic<int> made = 0;
  for (int w = 0; w < kWriters; ++w)
    threads.emplace_back([&, w] {
      for (int i = 0; i < kEach; ++i) {
        const auto done = registry_->commit(
            {{registry::Verb::kCreate, config_map(fmt::format("o-{}-{}", w, i).c_str(), "x")}});
        if (done) ++made;
      }
    });
  std::atomic<int> wrong = 0;
  for (int r = 0; r < kReaders; ++r)
    threads.emplace_back([&] {
      for (int round = 0; round < 20; ++round) {
        const registry::ResourceVersion from = registry_->version();
        const auto stream = std::make_shared<http::MemoryStream>();
        WatchRequest wanted = request("/1");
        wanted.from = from;
        apiserver::watch({*registry_, pump_, printed_, channels_}, std::move(wanted), {})
            .start(stream);
        // Expects all versions so far, each once and in order.
        const registry::ResourceVersion last = registry_->version();
        registry::ResourceVersion seen = from;
        std::string text;
        while (seen < last) {
          const std::string more =
              stream->read(std::chrono::steady_clock::now() + std::chrono::minutes(1));
          if (more.empty()) break;
          text += more;
          for (std::size_t end; (end = text.find('\n')) != std::string::npos;
               text.erase(0, end + 1)) {
            const Value event = *json::parse(text.substr(0, end));
            if (krm::resource_version_of(event["object"]) != ++seen) ++wrong;
          }
        }
        if (seen < last) ++wrong;
        stream->close();
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(made, kWriters * kEach);
  EXPECT_EQ(wrong, 0);
}

Value revision(const char* package, const char* workspace, int number) {
  return Value::object({{"apiVersion", "porch.kpt.dev/v1alpha1"}, {"kind", "PackageRevision"}})
      .with_at({"metadata", "name"}, fmt::format("edge.{}.{}", package, workspace))
      .with_at({"metadata", "namespace"}, "default")
      .with("spec", Value::object({{"packageName", package},
                                   {"repository", "edge"},
                                   {"workspaceName", workspace},
                                   {"revision", number}}));
}

// The pending events, such as "modified edge.web 2".
std::string told(registry::Watch& watch) {
  std::string out;
  const auto events = watch.next(std::chrono::milliseconds(0));
  if (!events) return events.error().text();
  for (const registry::Event& event : *events)
    out +=
        fmt::format("{} {} {} ",
                    event.change == registry::Change::kAdded      ? "added"
                    : event.change == registry::Change::kModified ? "modified"
                                                                  : "deleted",
                    krm::name_of(event.object), event.object["status"]["latestRevision"].as_int());
  return out;
}

TEST(PackageViews, TellOfPackagesWhatTheirRevisionsMakeThem) {
  const auto registry = std::move(*store::open_embedded({.indexes = packages::indexes()}));
  const auto write = [&](registry::Verb verb, const Value& object) {
    ASSERT_TRUE(registry->commit({{verb, object}}));
  };
  PackageView view(*registry);
  const registry::ResourceVersion start = registry->version();
  write(registry::Verb::kCreate, revision("web", "v1", 1));
  const auto watch = view.watch({}, registry->version());
  const auto from_start = view.watch({}, start);
  EXPECT_EQ(told(*from_start), "added edge.web 1 ");
  EXPECT_EQ(told(*watch), "");
  write(registry::Verb::kCreate, revision("web", "v2", 0));
  EXPECT_EQ(told(*watch), "") << "a draft makes no difference to its package";
  write(registry::Verb::kUpdate, revision("web", "v2", 2));
  EXPECT_EQ(told(*watch), "modified edge.web 2 ");
  write(registry::Verb::kCreate, revision("db", "v1", 0));
  EXPECT_EQ(told(*watch), "added edge.db 0 ");
  write(registry::Verb::kDelete, revision("web", "v2", 2));
  EXPECT_EQ(told(*watch), "modified edge.web 1 ");
  write(registry::Verb::kDelete, revision("web", "v1", 1));
  EXPECT_EQ(told(*watch), "deleted edge.web 1 ");
  EXPECT_EQ(view.list({})->objects.size(), 1u);
}

}  // namespace
}  // namespace portico::apiserver
