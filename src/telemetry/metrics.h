// Serves numbers about what the program does in Prometheus' text format.
#pragma once

#include <memory>
#include <string>

#include "base/meter.h"
#include "base/result.h"

namespace portico::telemetry {

class Metrics : public Meter {
 public:
  /// Answers nobody: text() is for who has an own listener.
  static std::unique_ptr<Metrics> make();
  /// Answers GET /metrics at "host:port" until it is destroyed; port 0 takes a free one. To anybody
  /// who gets there: keep it on a loopback or management address. kInvalid, kUnavailable.
  static Result<std::unique_ptr<Metrics>> serve(const std::string& address);

  /// "host:port", with the port that it has; "" where it answers nobody.
  virtual std::string address() const = 0;
  /// What a reader would get now.
  virtual std::string text() = 0;
};

/// Of one name no more sets of labels are kept apart; the rest is counted with "other" as value of
/// each label.
inline constexpr std::size_t kMostLabelSets = 100;

}  // namespace portico::telemetry
