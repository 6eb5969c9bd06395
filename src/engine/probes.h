// The numbers and the health of a process that serves no API, for Prometheus and for Kubernetes.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/result.h"
#include "telemetry/metrics.h"

namespace portico::engine {

/// Answers GET /metrics, /healthz (the process answers) and /readyz (it does its work, or waits to
/// take over; else 503 with the reason) over plain HTTP, to anybody who gets there, until it is
/// destroyed. What it is given must outlive it.
class Probes {
 public:
  /// `address`: HOST:PORT; port 0 takes a free one, no host is every address. kInvalid,
  /// kUnavailable.
  static Result<std::unique_ptr<Probes>> start(const std::string& address,
                                               telemetry::Metrics& metrics,
                                               std::function<Result<Done>()> ready);
  virtual ~Probes() = default;

  /// "host:port", with the port that it has.
  virtual std::string address() const = 0;
};

}  // namespace portico::engine
