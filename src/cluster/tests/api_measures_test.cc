// The metrics of requests to an API server.
#include <gtest/gtest.h>

#include <deque>

#include "cluster/api.h"
#include "cluster/internal/request_labels.h"
#include "testing/recording_meter.h"

namespace portico::cluster {
namespace {

using Samples = std::map<std::string, double>;

/// Gives its responses one after the other.
class Scripted : public http::Client {
 public:
  explicit Scripted(std::deque<Result<http::Response>> responses)
      : responses_(std::move(responses)) {}
  Result<http::Response> send(const http::Call&) override { return next(); }
  Result<http::Response> stream(const http::Call&, const Take& take) override {
    auto response = next();
    if (response && response->status == 200) take(response->body);
    return response;
  }

 private:
  Result<http::Response> next() {
    auto out = std::move(responses_.front());
    responses_.pop_front();
    return out;
  }
  std::deque<Result<http::Response>> responses_;
};

const Resource kVariants{.kind = {"config.porch.kpt.dev", "PackageVariant"},
                         .version = "v1alpha1",
                         .plural = "packagevariants",
                         .singular = ""};

class ApiMeasures : public ::testing::Test {
 protected:
  Api api(std::deque<Result<http::Response>> responses) {
    return {std::make_unique<Scripted>(std::move(responses)), {.meter = &meter_}};
  }
  portico::testing::RecordingMeter meter_;
};

TEST_F(ApiMeasures, CountEachRequestAndItsDuration) {
  Api api = this->api({http::Response{.status = 200, .body = "{}"},
                       http::Response{.status = 404, .body = "{}"}, unavailable("no route")});
  EXPECT_TRUE(api.get(kVariants, "default", "web"));
  EXPECT_FALSE(api.get(kVariants, "default", "app"));
  EXPECT_FALSE(api.list(kVariants, {}));
  EXPECT_EQ(
      meter_.samples(),
      (Samples{
          {"portico_cluster_requests_total{code=200,resource=packagevariants,verb=get}", 1},
          {"portico_cluster_requests_total{code=404,resource=packagevariants,verb=get}", 1},
          {"portico_cluster_requests_total{code=none,resource=packagevariants,verb=list}", 1},
          {"portico_cluster_request_duration_seconds{resource=packagevariants,verb=get}", 2},
          {"portico_cluster_request_duration_seconds{resource=packagevariants,verb=list}", 1}}));
}

TEST_F(ApiMeasures, CountARepeatedRequestTwice) {
  Api api = this->api({http::Response{.status = 429, .headers = {{"Retry-After", "0"}}},
                       http::Response{.status = 200, .body = "{}"}});
  EXPECT_TRUE(api.get(kVariants, "default", "web"));
  EXPECT_EQ(meter_.samples()["portico_cluster_requests_total{code=429,resource=packagevariants,"
                             "verb=get}"],
            1);
  EXPECT_EQ(meter_.samples()["portico_cluster_request_duration_seconds{resource=packagevariants,"
                             "verb=get}"],
            2);
}

TEST_F(ApiMeasures, CountAWatchOnceItBegins) {
  const char* const kName =
      "portico_cluster_requests_total{code=200,resource=packagevariants,verb=watch}";
  Api api =
      this->api({http::Response{.status = 200,
                                .body = "{\"type\": \"BOOKMARK\"}\n{\"type\": \"BOOKMARK\"}\n"},
                 http::Response{.status = 410, .body = "{}"}});
  const auto take = [&](const WatchEvent&) {
    EXPECT_EQ(meter_.samples()[kName], 1);
    return true;
  };
  EXPECT_TRUE(api.watch(kVariants, {}, {}, take));
  EXPECT_FALSE(api.watch(kVariants, {}, {}, take));
  EXPECT_EQ(meter_.samples(),
            (Samples{{kName, 1},
                     {"portico_cluster_requests_total{code=410,resource=packagevariants,"
                      "verb=watch}",
                      1}}));
}

TEST(RequestLabels, FollowKubernetes) {
  const auto of = [](std::string_view method, std::string_view target) {
    const RequestLabels out = request_labels(method, target);
    return out.verb + " " + out.resource;
  };
  EXPECT_EQ(of("GET", "/api/v1/namespaces/a/secrets/b"), "get secrets");
  EXPECT_EQ(of("GET", "/api/v1/secrets?limit=5"), "list secrets");
  EXPECT_EQ(of("GET", "/apis/g/v1/namespaces/a/widgets?watch=true"), "watch widgets");
  EXPECT_EQ(of("POST", "/apis/g/v1/namespaces/a/widgets?fieldManager=x"), "create widgets");
  EXPECT_EQ(of("PUT", "/apis/g/v1/namespaces/a/widgets/b/status"), "update widgets/status");
  EXPECT_EQ(of("PATCH", "/apis/g/v1/widgets/b"), "patch widgets");
  EXPECT_EQ(of("DELETE", "/apis/g/v1/namespaces/a/widgets/b"), "delete widgets");
  EXPECT_EQ(of("DELETE", "/apis/g/v1/namespaces/a/widgets"), "deletecollection widgets");
  EXPECT_EQ(of("GET", "/api/v1/namespaces/a"), "get namespaces");
  EXPECT_EQ(of("GET", "/api/v1/namespaces"), "list namespaces");
  EXPECT_EQ(of("PUT", "/api/v1/namespaces/a/finalize"), "update namespaces/finalize");
  EXPECT_EQ(of("GET", "/apis"), "get ");
  EXPECT_EQ(of("GET", "/apis/g/v1"), "get ");
  EXPECT_EQ(of("POST", "/portico/v1/namespaces/a/drafts"), "post ");
  EXPECT_EQ(of("GET", "/"), "get ");
  EXPECT_EQ(of("GET", ""), "get ");
}

}  // namespace
}  // namespace portico::cluster
