// Watches over a store in memory: what they share of an event, and what each has of its own.
#include "apiserver/watching.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <vector>

#include "http/memory_stream.h"
#include "json/text.h"
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
  std::shared_ptr<http::MemoryStream> watch(const std::string& form, const char* selector = "") {
    WatchRequest wanted;
    wanted.query.type = {"", "ConfigMap"};
    if (*selector != '\0') wanted.query.labels = *krm::LabelSelector::parse(selector);
    wanted.from = registry_->version();
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

}  // namespace
}  // namespace portico::apiserver
