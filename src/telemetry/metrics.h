// Serves the program's metrics in Prometheus' text format.
#pragma once

#include <memory>
#include <string>

#include "base/meter.h"
#include "base/result.h"

namespace portico::telemetry {

class Metrics : public Meter {
 public:
  /// Serves no requests: for callers with their own listener, which return text().
  static std::unique_ptr<Metrics> make();
  /// Serves GET /metrics at "host:port" until it is destroyed; port 0 takes a free one. There is no
  /// authentication: use a loopback or management address. kInvalid, kUnavailable.
  static Result<std::unique_ptr<Metrics>> serve(const std::string& address);

  /// "host:port", with the actual port; "" if it serves no requests.
  virtual std::string address() const = 0;
  /// What a scrape would get now.
  virtual std::string text() = 0;
};

/// The limit of label sets per name; further ones are counted with "other" as the value of each
/// label.
inline constexpr std::size_t kMostLabelSets = 100;

}  // namespace portico::telemetry
