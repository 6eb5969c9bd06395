// The metrics of a request.
#include "apiserver/internal/request_measures.h"

#include <gtest/gtest.h>

#include <sstream>

#include "http/escape.h"
#include "testing/recording_meter.h"

namespace portico::apiserver {
namespace {

using portico::testing::RecordingMeter;
using Samples = std::map<std::string, double>;

Samples samples_of(std::initializer_list<const char*> requests, const http::Answer& answer) {
  RecordingMeter meter;
  const kubeapi::Catalog catalog = kubeapi::builtin_catalog();
  for (const char* each : requests) {
    http::Request request;
    std::istringstream(each) >> request.method >> request.target;
    const auto query = http::Query::parse(request.query());
    const auto info = kubeapi::request_info(request.method, request.path(), *query);
    measure_request(&meter, request, *info, catalog, answer, std::chrono::milliseconds(5));
  }
  return meter.samples();
}

TEST(RequestMeasures, CountRequestsAndTheirDurations) {
  const char* const kOne = "/apis/config.porch.kpt.dev/v1alpha1/namespaces/default/packagevariants";
  const std::string named = std::string("GET ") + kOne + "/web", list = std::string("GET ") + kOne,
                    status = std::string("PUT ") + kOne + "/web/status";
  EXPECT_EQ(
      samples_of({named.c_str(), named.c_str(), list.c_str(), status.c_str(), "GET /apis"},
                 http::Response{.status = 200}),
      (Samples{
          {"portico_api_requests_total{code=200,resource=packagevariants,verb=get}", 2},
          {"portico_api_requests_total{code=200,resource=packagevariants,verb=list}", 1},
          {"portico_api_requests_total{code=200,resource=packagevariants/status,verb=update}", 1},
          {"portico_api_requests_total{code=200,resource=,verb=get}", 1},
          {"portico_api_request_duration_seconds{resource=packagevariants,verb=get}", 2},
          {"portico_api_request_duration_seconds{resource=packagevariants,verb=list}", 1},
          {"portico_api_request_duration_seconds{resource=packagevariants/status,verb=update}", 1},
          {"portico_api_request_duration_seconds{resource=,verb=get}", 1}}));
}

TEST(RequestMeasures, AStreamHasNoDuration) {
  EXPECT_EQ(samples_of({"GET /api/v1/secrets?watch=true"}, http::Streaming{.head = {}}),
            (Samples{{"portico_api_requests_total{code=200,resource=secrets,verb=watch}", 1}}));
}

TEST(RequestMeasures, NoLabelHasAValueThatTheClientMadeUp) {
  EXPECT_EQ(samples_of({"GET /api/v1/madeup", "GET /apis/made.up/v1/secrets", "GET /api/v9/secrets",
                        "GET /api/v1/namespaces/a/secrets/b/madeup",
                        "GET /apis/portico.dev/v1/namespaces/a/madeup/b"},
                       http::Response{.status = 404})
                .size(),
            4u)
      << "get and list of \"other\"";
  EXPECT_EQ(samples_of({"MADEUP /apis"}, http::Response{.status = 405}),
            (Samples{{"portico_api_requests_total{code=405,resource=,verb=other}", 1},
                     {"portico_api_request_duration_seconds{resource=,verb=other}", 1}}));
}

TEST(RequestMeasures, KnowPorticosOwnPaths) {
  EXPECT_EQ(
      samples_of({"POST /apis/portico.dev/v1/namespaces/a/repositories/edge/sync"},
                 http::Response{.status = 200}),
      (Samples{
          {"portico_api_requests_total{code=200,resource=repositories/sync,verb=create}", 1},
          {"portico_api_request_duration_seconds{resource=repositories/sync,verb=create}", 1}}));
}

TEST(RequestMeasures, LeaveOutWhatIsPolled) {
  EXPECT_EQ(
      samples_of({"GET /livez", "GET /readyz/ping", "GET /metrics"}, http::Response{.status = 200}),
      Samples{});
}

}  // namespace
}  // namespace portico::apiserver
