#include "telemetry/metrics.h"

#include <prometheus/counter.h>
#include <prometheus/exposer.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <exception>
#include <optional>
#include <set>

#include "base/guarded.h"
#include "base/host_port.h"

namespace portico::telemetry {
namespace {

const prometheus::Histogram::BucketBoundaries kSeconds{0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1,
                                                       0.25,  0.5,    1,     2.5,  5,     10,   30,
                                                       60,    120,    300,   600,  1800,  3600};

using Readers = Guarded<std::map<int, std::function<void()>>>;

// Calls the readers, which set values that are only available on request, then returns all metrics.
class Source : public prometheus::Collectable {
 public:
  std::vector<prometheus::MetricFamily> Collect() const override {
    readers.with([](const auto& all) {
      for (const auto& [id, read] : all) read();
    });
    return registry.Collect();
  }

  prometheus::Registry registry;
  Readers readers;
};

class ReadingImpl : public Meter::Reading {
 public:
  ReadingImpl(std::shared_ptr<Source> source, int id) : source_(std::move(source)), id_(id) {}
  ~ReadingImpl() override {
    source_->readers.with([&](auto& all) { all.erase(id_); });
  }

 private:
  const std::shared_ptr<Source> source_;
  const int id_;
};

class MetricsImpl : public Metrics {
 public:
  MetricsImpl() = default;
  explicit MetricsImpl(const HostPort& place) : host_(place.host) {
    exposer_.emplace(place.text(), 1);
    exposer_->RegisterCollectable(source_);
  }

  void count(const std::string& name, const std::string& help, const Labels& labels,
             double by) override {
    auto& family = prometheus::BuildCounter().Name(name).Help(help).Register(source_->registry);
    family.Add(bounded(name, labels)).Increment(by);
  }
  void set(const std::string& name, const std::string& help, const Labels& labels,
           double value) override {
    auto& family = prometheus::BuildGauge().Name(name).Help(help).Register(source_->registry);
    family.Add(bounded(name, labels)).Set(value);
  }
  void took(const std::string& name, const std::string& help, const Labels& labels,
            double seconds) override {
    auto& family = prometheus::BuildHistogram().Name(name).Help(help).Register(source_->registry);
    family.Add(bounded(name, labels), kSeconds).Observe(seconds);
  }
  std::unique_ptr<Reading> on_read(std::function<void()> read) override {
    const int id = source_->readers.with([&](auto& all) {
      const int next = all.empty() ? 1 : all.rbegin()->first + 1;
      all.emplace(next, std::move(read));
      return next;
    });
    return std::make_unique<ReadingImpl>(source_, id);
  }

  std::string address() const override {
    if (!exposer_) return "";
    const std::vector<int> ports = exposer_->GetListeningPorts();
    const int port = ports.empty() ? 0 : ports.front();
    return HostPort{host_, static_cast<std::uint16_t>(port)}.text();
  }
  std::string text() override { return prometheus::TextSerializer().Serialize(source_->Collect()); }

 private:
  Labels bounded(const std::string& name, const Labels& labels) {
    const bool keep = seen_.with([&](auto& seen) {
      auto& sets = seen[name];
      if (sets.contains(labels)) return true;
      return sets.size() < kMostLabelSets && sets.insert(labels).second;
    });
    if (keep) return labels;
    Labels other = labels;
    for (auto& [label, value] : other) value = "other";
    return other;
  }

  const std::string host_;
  const std::shared_ptr<Source> source_ = std::make_shared<Source>();
  Guarded<std::map<std::string, std::set<Labels>>> seen_;
  std::optional<prometheus::Exposer> exposer_;  // last: it uses the members above
};

}  // namespace

std::unique_ptr<Metrics> Metrics::make() { return std::make_unique<MetricsImpl>(); }

Result<std::unique_ptr<Metrics>> Metrics::serve(const std::string& address) {
  PORTICO_TRY(const HostPort place, parse_host_port(address));
  if (place.host.empty())
    return invalid("{:?} has no host; use HOST:PORT, 0.0.0.0:{} for all addresses", address,
                   place.port);
  try {
    return std::unique_ptr<Metrics>(std::make_unique<MetricsImpl>(place));
  } catch (const std::exception& thrown) {
    return unavailable("cannot listen on {:?}: {}; is the address already in use?", address,
                       thrown.what());
  }
}

}  // namespace portico::telemetry
