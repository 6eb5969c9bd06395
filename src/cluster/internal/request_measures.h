// Metrics of the requests to the API server.
#pragma once

#include <chrono>
#include <optional>

#include "base/meter.h"
#include "base/result.h"
#include "http/client.h"

namespace portico::cluster {

/// Counts the request by the status of its response; its code is "none" if there was no response.
/// Adds its duration, except for a stream: nullopt. `meter` may be null.
void measure_request(Meter* meter, const http::Call& call, const Result<http::Response>& response,
                     std::optional<std::chrono::duration<double>> took);

}  // namespace portico::cluster
