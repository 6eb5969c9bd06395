// Watches over a store in memory: what they share of an event, and what each has of its own.
#include "apiserver/watching.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <vector>

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

  /// A watch from now on that shows objects in a form: `form` beside them, and counts how often.
  std::shared_ptr<http::MemoryStream> watch(const std::string& form, const char* selector = "",
                                            registry::ResourceVersion ahead = 0) {
    WatchRequest wanted;
    wanted.query.type = {"", "ConfigMap"};
    if (*selector != '\0') wanted.query.labels = *krm::LabelSelector::parse(selector);
    wanted.from = registry_->version() + ahead;
    wanted.timeout = std::chrono::minutes(1);
    wanted.form = form;
    wanted.shape = [this, form](const Value& object) {
      ++shaped_;
      return object.with("form", form);
    };
    auto made = apiserver::watch(*registry_, pump_, printed_, std::move(wanted), {});
    auto stream = std::make_shared<http::MemoryStream>();
    made->start(stream);
    streams_.push_back(stream);
    return stream;
  }

  void TearDown() override {
    for (const auto& stream : streams_) stream->close();
  }

  void write(registry::Verb verb, const Value& object) {
    ASSERT_TRUE(registry_->commit({{verb, object}}));
  }

  /// "ADDED one" of the next events of a watch.
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

Value revision(const char* package, const char* workspace, int number) {
  return Value::object({{"apiVersion", "porch.kpt.dev/v1alpha1"}, {"kind", "PackageRevision"}})
      .with_at({"metadata", "name"}, fmt::format("edge.{}.{}", package, workspace))
      .with_at({"metadata", "namespace"}, "default")
      .with("spec", Value::object({{"packageName", package},
                                   {"repository", "edge"},
                                   {"workspaceName", workspace},
                                   {"revision", number}}));
}

// "modified edge.web 2" of the events that there are.
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
