// What a mirror asks of a server, as a client without a network sees it.
#include "cluster/mirror.h"

#include <gtest/gtest.h>

#include <atomic>
#include <string>

#include "cluster/remote_registry.h"

namespace portico::cluster {
namespace {

using json::Value;

const krm::GroupKind kConfigMap{"", "ConfigMap"};

http::Response json_response(std::string body) { return {.status = 200, .body = std::move(body)}; }

// A server that serves ConfigMaps, and refuses lists or watches for ten minutes.
class Overloaded : public http::Client {
 public:
  enum class Refuses { kLists, kWatches, kOpenWatches };
  Overloaded(Refuses refuses, int status) : refuses_(refuses), status_(status) {}

  Result<http::Response> send(const http::Call& call) override {
    if (call.target == "/apis") return json_response(R"({"kind": "APIGroupList", "groups": []})");
    if (call.target == "/api")
      return json_response(R"({"kind": "APIVersions", "versions": ["v1"]})");
    if (call.target == "/api/v1")
      return json_response(R"({"kind": "APIResourceList", "groupVersion": "v1", "resources": [)"
                           R"({"name": "configmaps", "namespaced": true, "kind": "ConfigMap",)"
                           R"( "verbs": ["get", "list", "watch"]}]})");
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
