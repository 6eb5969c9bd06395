// Metrics of the program. Only modules below the pure line may use them.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace portico {

/// Label names to values. Values come from a short list (a kind, an outcome, an image), never from
/// object names.
using Labels = std::map<std::string, std::string>;

/// Destination of metrics; telemetry/metrics.h serves them. Names and units follow Prometheus
/// conventions: "portico_drafts_total", "portico_reconcile_duration_seconds". A name always has the
/// same help text and the same label names. Code for which a Meter is optional takes a pointer and
/// skips metrics when it is null. Thread-safe.
class Meter {
 public:
  virtual ~Meter() = default;
  /// A counter: only goes up.
  virtual void count(const std::string& name, const std::string& help, const Labels& labels,
                     double by) = 0;
  virtual void set(const std::string& name, const std::string& help, const Labels& labels,
                   double value) = 0;
  /// Adds a duration to a histogram whose buckets range from milliseconds to an hour.
  virtual void took(const std::string& name, const std::string& help, const Labels& labels,
                    double seconds) = 0;

  /// Calls `read` before each read of the metrics, so that it can set() values that are only
  /// available on request. Lasts as long as the returned object.
  class Reading {
   public:
    virtual ~Reading() = default;
  };
  virtual std::unique_ptr<Reading> on_read(std::function<void()> read) = 0;
};

}  // namespace portico
