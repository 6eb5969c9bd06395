// Numbers about what the program does, for whoever watches it. Only modules below the pure line may
// use it.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace portico {

/// Name of a label to its value. Values come from a short list (a kind, an outcome, an image),
/// never from names of objects.
using Labels = std::map<std::string, std::string>;

/// Where numbers go; telemetry/metrics.h serves them. Names and units are Prometheus':
/// "portico_drafts_total", "portico_reconcile_duration_seconds". One name always has the same help
/// and the same names of labels. Whoever may have no Meter takes a pointer and asks it nothing
/// where it is null. Safe from any thread.
class Meter {
 public:
  virtual ~Meter() = default;
  /// Only goes up.
  virtual void count(const std::string& name, const std::string& help, const Labels& labels,
                     double by) = 0;
  virtual void set(const std::string& name, const std::string& help, const Labels& labels,
                   double value) = 0;
  /// One more that took so many seconds, for a histogram; from milliseconds to an hour.
  virtual void took(const std::string& name, const std::string& help, const Labels& labels,
                    double seconds) = 0;

  /// Runs `read` before the numbers are read, to set() what is only known by asking, as long as
  /// what is handed back is kept.
  class Reading {
   public:
    virtual ~Reading() = default;
  };
  virtual std::unique_ptr<Reading> on_read(std::function<void()> read) = 0;
};

}  // namespace portico
