// What a mirror asks of a server, as a client without a network sees it.
#include "cluster/mirror.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <stop_token>
#include <string>
#include <thread>

#include "base/guarded.h"
#include "base/monitor.h"
#include "cluster/remote_registry.h"
#include "json/text.h"

namespace portico::cluster {
namespace {

using json::Value;

const krm::GroupKind kConfigMap{"", "ConfigMap"};

http::Response json_response(std::string body) { return {.status = 200, .body = std::move(body)}; }

// A server that serves ConfigMaps.
class Served : public http::Client {
 public:
  Result<http::Response> send(const http::Call& call) override {
    if (call.target == "/apis") return json_response(R"({"kind": "APIGroupList", "groups": []})");
    if (call.target == "/api")
      return json_response(R"({"kind": "APIVersions", "versions": ["v1"]})");
    if (call.target == "/api/v1")
      return json_response(R"({"kind": "APIResourceList", "groupVersion": "v1", "resources": [)"
                           R"({"name": "configmaps", "namespaced": true, "kind": "ConfigMap",)"
                           R"( "verbs": ["get", "list", "watch"]}]})");
    return list(call);
  }
  virtual Result<http::Response> list(const http::Call& call) = 0;
};

// It refuses lists or watches for ten minutes.
class Overloaded : public Served {
 public:
  enum class Refuses { kLists, kWatches, kOpenWatches };
  Overloaded(Refuses refuses, int status) : refuses_(refuses), status_(status) {}

  Result<http::Response> list(const http::Call&) override {
    ++lists;
    if (refuses_ == Refuses::kLists) return refusal();
    return json_response(R"({"kind": "ConfigMapList", "apiVersion": "v1",)"
                         R"( "metadata": {"resourceVersion": "7"}, "items": []})");
  }
  Result<http::Response> stream(const http::Call&, const Take& take) override {
    ++watches;
    if (refuses_ == Refuses::kWatches) return refusal();
    take(R"({"type": "ERROR", "object": {"kind": "Status", "code": 429, "message": "busy",)"
         R"( "reason": "TooManyRequests", "details": {"retryAfterSeconds": 600}}})"
         "\n");
    return json_response("");
  }
  std::atomic<int> lists = 0, watches = 0;

 private:
  http::Response refusal() const {
    http::Response out{.status = status_, .body = "busy"};
    out.headers.set("Retry-After", "600");
    return out;
  }

  const Refuses refuses_;
  const int status_;
};

// Without the request of the server, a mirror would try again after a millisecond.
MirrorOptions impatient() {
  return {.patience = std::chrono::milliseconds(100),
          .reflector = {.least_wait = std::chrono::milliseconds(1),
                        .most_wait = std::chrono::milliseconds(1)}};
}

// A server that serves ConfigMaps, with the initial events of watches as the test says.
class Streaming : public Served {
 public:
  enum class Knows { kAll, kNothing, kRefuses, kEndsEarly, kOtherBookmarks, kSaysNothing, kTalks };
  explicit Streaming(Knows knows) : knows_(knows) {}

  Result<http::Response> list(const http::Call&) override {
    ++lists;
    return json_response(R"({"kind": "ConfigMapList", "apiVersion": "v1",)"
                         R"( "metadata": {"resourceVersion": "7"}, "items": [)" +
                         map("a") + ", " + map("b") + "]}");
  }
  Result<http::Response> stream(const http::Call& call, const Take& take) override {
    ++watches;
    const auto until_stopped = [&] {
      Monitor<bool> stopped{false};
      const std::stop_callback wake(call.stop,
                                    [&] { stopped.change([](bool& now) { now = true; }); });
      stopped.wait([](bool now) { return now; }, [](bool) {});
      return json_response("");
    };
    if (call.target.find("sendInitialEvents=true") == std::string::npos) return until_stopped();
    ++asked;
    EXPECT_NE(call.target.find("resourceVersionMatch=NotOlderThan"), std::string::npos);
    EXPECT_NE(call.target.find("allowWatchBookmarks=true"), std::string::npos);
    EXPECT_EQ(call.target.find("resourceVersion="), std::string::npos);
    if (knows_ == Knows::kRefuses)
      return http::Response{.status = 422,
                            .body = R"({"kind": "Status", "code": 422, "reason": "Invalid",)"
                                    R"( "message": "sendInitialEvents is forbidden for watch"})"};
    if (knows_ == Knows::kSaysNothing) return until_stopped();
    while (take(event("ADDED", map("a"))) && knows_ == Knows::kTalks && !call.stop.stop_requested())
      std::this_thread::yield();
    half.change([](bool& now) { now = true; });
    if (knows_ == Knows::kEndsEarly) return json_response("");
    if (knows_ == Knows::kOtherBookmarks && !take(event("BOOKMARK", R"({"metadata": {}})")))
      return json_response("");
    if (knows_ != Knows::kAll) return until_stopped();
    rest.wait([](bool now) { return now; }, [](bool) {});
    take(event("ADDED", map("b")));
    take(event("BOOKMARK", R"({"metadata": {"resourceVersion": "7", "annotations":)"
                           R"( {"k8s.io/initial-events-end": "true"}}})"));
    return until_stopped();
  }

  std::atomic<int> lists = 0, watches = 0, asked = 0;
  Monitor<bool> half{false};  // whether the first object was sent
  Monitor<bool> rest{false};  // whether to send the rest

 private:
  static std::string map(const std::string& name) {
    return R"({"kind": "ConfigMap", "apiVersion": "v1", "metadata": {"namespace": "x",)"
           R"( "resourceVersion": "3", "name": ")" +
           name + "\"}}";
  }
  static std::string event(const std::string& type, const std::string& object) {
    return R"({"type": ")" + type + R"(", "object": )" + object + "}\n";
  }

  const Knows knows_;
};

using Knows = Streaming::Knows;

MirrorOptions streaming() {
  MirrorOptions options{.initial_events = {.silence = std::chrono::milliseconds(30),
                                           .total = std::chrono::milliseconds(90)}};
  options.reflector.least_wait = std::chrono::milliseconds(1);
  return options;
}

TEST(InitialEvents, AreShownOnceTheyAreComplete) {
  auto client = std::make_unique<Streaming>(Knows::kAll);
  Streaming& server = *client;
  Api api(std::move(client), {});
  MirrorOptions options = streaming();
  options.patience = std::chrono::milliseconds(20);
  options.initial_events = {};
  const auto mirror = make_mirror(api, options);
  const auto watch = mirror->watch({.type = kConfigMap}, mirror->version());
  server.half.wait([](bool now) { return now; }, [](bool) {});
  const auto half = mirror->list({.type = kConfigMap});
  ASSERT_FALSE(half) << "half of the objects are no list";
  EXPECT_EQ(half.error().code, Code::kUnavailable);
  EXPECT_TRUE(mirror->kinds().empty());
  server.rest.change([](bool& now) { now = true; });
  const auto events = watch->next(std::chrono::seconds(10));
  ASSERT_TRUE(events);
  EXPECT_EQ(events->size(), 2u);
  const auto all = mirror->list({.type = kConfigMap});
  ASSERT_TRUE(all);
  EXPECT_EQ(all->objects.size(), 2u);
  EXPECT_EQ(server.lists, 0);
}

class WithoutInitialEvents : public ::testing::TestWithParam<Knows> {};

TEST_P(WithoutInitialEvents, TheObjectsAreListed) {
  auto client = std::make_unique<Streaming>(GetParam());
  Streaming& server = *client;
  Api api(std::move(client), {});
  const auto mirror = make_mirror(api, streaming());
  const auto all = mirror->list({.type = kConfigMap});
  ASSERT_TRUE(all) << all.error().text();
  EXPECT_EQ(all->objects.size(), 2u);
  EXPECT_EQ(server.lists, 1);
  EXPECT_EQ(server.asked, 1);
}
INSTANTIATE_TEST_SUITE_P(Servers, WithoutInitialEvents,
                         ::testing::Values(Knows::kNothing, Knows::kRefuses, Knows::kEndsEarly,
                                           Knows::kOtherBookmarks, Knows::kSaysNothing,
                                           Knows::kTalks));

TEST(InitialEvents, AreNotAskedForOfKindsThatAreListedAgain) {
  auto owned = std::make_unique<Streaming>(Knows::kAll);
  Streaming& server = *owned;
  Api api(std::move(owned), {});
  MirrorOptions options = streaming();
  options.relisted = {{"", "ConfigMap"}};
  const auto mirror = make_mirror(api, std::move(options));
  const auto listed = mirror->list({.type = {"", "ConfigMap"}});
  ASSERT_TRUE(listed) << listed.error().text();
  EXPECT_EQ(listed->objects.size(), 2U);
  EXPECT_EQ(server.asked, 0);
}

// A server like Porch, whose watch may miss anything.
class Forgetful : public Served {
 public:
  Result<http::Response> list(const http::Call&) override {
    return json_response(
        R"({"kind": "ConfigMapList", "apiVersion": "v1", "metadata": {}, "items": [)" +
        objects.with([](const std::string& now) { return now; }) + "]}");
  }
  Result<http::Response> stream(const http::Call& call, const Take&) override {
    EXPECT_NE(call.target.find("timeoutSeconds="), std::string::npos);
    const std::stop_callback wake(call.stop, [&] { ends.change([](bool& now) { now = true; }); });
    watches.change([](int& now) { ++now; });
    ends.wait([](bool now) { return now; }, [](bool& now) { now = false; });
    return json_response("");
  }

  Guarded<std::string> objects;
  Monitor<int> watches{0};
  Monitor<bool> ends{false};
};

Value commit_of(const std::string& name, const std::string& version, const std::string& data) {
  return Value::object({{"apiVersion", "v1"},
                        {"kind", "ConfigMap"},
                        {"metadata", Value::object({{"namespace", "x"},
                                                    {"name", name},
                                                    {"resourceVersion", version},
                                                    {"uid", "of " + name}})},
                        {"data", data}});
}

TEST(Relisting, ShowsWhatAWatchHasMissed) {
  auto owned = std::make_unique<Forgetful>();
  Forgetful& server = *owned;
  const auto text = [](const std::string& name, const std::string& version,
                       const std::string& data) {
    return json::print(commit_of(name, version, data));
  };
  server.objects.with([&](std::string& now) {
    now = text("a", "c1", "1") + "," + text("b", "c2", "1") + "," + text("c", "c3", "1");
  });
  Api api(std::move(owned), {});
  MirrorOptions options = impatient();
  options.patience = std::chrono::seconds(10);
  options.reflector.short_watch = std::chrono::milliseconds(0);
  options.relisted = {kConfigMap};
  const auto mirror = make_mirror(api, options);
  const auto shown = [&] {
    std::string out;
    if (const auto listed = mirror->list({.type = kConfigMap}))
      for (const Value& each : listed->objects)
        out += fmt::format("{}={} ", krm::name_of(each), each["data"].as_string());
    return out;
  };
  EXPECT_EQ(shown(), "a=1 b=1 c=1 ");
  server.watches.wait([](int now) { return now == 1; }, [](int) {});
  // The responses to requests are shown, and what others do meanwhile is not reported.
  mirror->wrote(commit_of("c", "c3", "2"), mirror->version());
  mirror->wrote(commit_of("d", "c4", "1"), mirror->version());
  EXPECT_EQ(shown(), "a=1 b=1 c=2 d=1 ");
  server.objects.with(
      [&](std::string& now) { now = text("a", "c1", "2") + "," + text("c", "c3", "1"); });
  server.ends.change([](bool& now) { now = true; });
  server.watches.wait([](int now) { return now == 2; }, [](int) {});
  EXPECT_EQ(shown(), "a=2 c=1 ");
  server.ends.change([](bool& now) { now = true; });
}

class RetryAfter : public ::testing::TestWithParam<int> {};

TEST_P(RetryAfter, DelaysTheNextList) {
  auto client = std::make_unique<Overloaded>(Overloaded::Refuses::kLists, GetParam());
  const Overloaded& server = *client;
  Api api(std::move(client), {});
  const auto mirror = make_mirror(api, impatient());
  EXPECT_FALSE(mirror->list({.type = kConfigMap}));
  EXPECT_EQ(server.lists, 1);
}

TEST_P(RetryAfter, DelaysTheNextWatch) {
  for (const auto refuses : {Overloaded::Refuses::kWatches, Overloaded::Refuses::kOpenWatches}) {
    auto client = std::make_unique<Overloaded>(refuses, GetParam());
    const Overloaded& server = *client;
    Api api(std::move(client), {});
    const auto mirror = make_mirror(api, impatient());
    const auto watch = mirror->watch({.type = kConfigMap}, mirror->version());
    EXPECT_TRUE(mirror->list({.type = kConfigMap}));
    EXPECT_TRUE(watch->next(std::chrono::milliseconds(100)));
    EXPECT_EQ(server.watches, 1);
  }
}

TEST_P(RetryAfter, DelaysTheNextWatchOfARegistryWithoutACopy) {
  auto client = std::make_unique<Overloaded>(Overloaded::Refuses::kWatches, GetParam());
  const Overloaded& server = *client;
  Api api(std::move(client), {});
  const auto registry = make_remote_registry(api, {});
  const auto watch = registry->watch({.type = kConfigMap}, 7);
  EXPECT_TRUE(watch->next(std::chrono::milliseconds(500)));
  EXPECT_EQ(server.watches, 1);
}

INSTANTIATE_TEST_SUITE_P(Statuses, RetryAfter, ::testing::Values(429, 500, 503));

}  // namespace
}  // namespace portico::cluster
