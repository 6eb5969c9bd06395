// Metrics of the requests that the server answers.
#pragma once

#include <chrono>

#include "apiserver/audit.h"
#include "base/meter.h"
#include "http/message.h"
#include "kubeapi/resource_type.h"

namespace portico::apiserver {

/// Counts the request and, unless its answer is a stream, adds its duration. Leaves out the paths
/// that are polled every few seconds, like RequestSpan. Labels have values from short lists
/// only: a resource or verb that the server does not know is "other". `meter` may be null.
void measure_request(Meter* meter, const http::Request& request, const kubeapi::RequestInfo& info,
                     const kubeapi::Catalog& catalog, const http::Answer& answer,
                     std::chrono::duration<double> took);

}  // namespace portico::apiserver
