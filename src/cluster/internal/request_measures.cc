#include "cluster/internal/request_measures.h"

#include <string>

#include "cluster/internal/request_labels.h"

namespace portico::cluster {

void measure_request(Meter* meter, const http::Call& call, const Result<http::Response>& response,
                     std::optional<std::chrono::duration<double>> took) {
  if (meter == nullptr) return;
  const RequestLabels of = request_labels(call.method, call.target);
  Labels labels{{"verb", of.verb}, {"resource", of.resource}};
  if (took)
    meter->took("portico_cluster_request_duration_seconds",
                "Duration of requests to the cluster's API server, without watches.", labels,
                took->count());
  labels.emplace("code", response ? std::to_string(response->status) : "none");
  meter->count("portico_cluster_requests_total",
               "Requests to the cluster's API server, by HTTP status code.", labels, 1);
}

}  // namespace portico::cluster
