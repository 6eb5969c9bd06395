// A meter that keeps what it receives, for tests.
#pragma once

#include <fmt/format.h>

#include <map>
#include <string>

#include "base/guarded.h"
#include "base/meter.h"

namespace portico::testing {

class RecordingMeter : public Meter {
 public:
  void count(const std::string& name, const std::string&, const Labels& labels,
             double by) override {
    add(name, labels, by);
  }
  void set(const std::string& name, const std::string&, const Labels& labels,
           double value) override {
    samples_.with([&](auto& samples) { samples[text_of(name, labels)] = value; });
  }
  /// Keeps the number of durations.
  void took(const std::string& name, const std::string&, const Labels& labels, double) override {
    add(name, labels, 1);
  }
  std::unique_ptr<Reading> on_read(std::function<void()>) override { return nullptr; }

  /// "name{label=value,...}" to its value.
  std::map<std::string, double> samples() const {
    return samples_.with([](const auto& samples) { return samples; });
  }

 private:
  static std::string text_of(const std::string& name, const Labels& labels) {
    std::string out;
    for (const auto& [label, value] : labels)
      out += fmt::format("{}{}={}", out.empty() ? "" : ",", label, value);
    return fmt::format("{}{{{}}}", name, out);
  }
  void add(const std::string& name, const Labels& labels, double by) {
    samples_.with([&](auto& samples) { samples[text_of(name, labels)] += by; });
  }

  Guarded<std::map<std::string, double>> samples_;
};

}  // namespace portico::testing
