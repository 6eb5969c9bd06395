// Metrics and health of a process that serves no API, for Prometheus and Kubernetes.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/result.h"
#include "telemetry/metrics.h"

namespace portico::engine {

/// Serves GET /metrics, /healthz (the process responds) and /readyz (it does its work or is a
/// standby; else 503 with the reason) over plain HTTP, without authentication, until it is
/// destroyed. The arguments must outlive it.
class Probes {
 public:
  /// `address`: HOST:PORT; port 0 takes a free one, no host means every address. kInvalid,
  /// kUnavailable.
  static Result<std::unique_ptr<Probes>> start(const std::string& address,
                                               telemetry::Metrics& metrics,
                                               std::function<Result<Done>()> ready);
  virtual ~Probes() = default;

  /// "host:port", with the actual port.
  virtual std::string address() const = 0;
};

}  // namespace portico::engine
