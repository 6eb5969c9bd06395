// A tracer that keeps its spans, for tests.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <string_view>
#include <vector>

#include "base/guarded.h"
#include "base/tracer.h"

namespace portico::testing {

/// Ids are 1, 2, 3, ...; the time is `clock`.
class RecordingTracer : public Tracer {
 public:
  std::optional<SpanContext> begin(const std::optional<SpanContext>& parent) override {
    if (parent && !parent->sampled) return std::nullopt;
    SpanContext out = parent.value_or(SpanContext{1, next_span(), 0});
    out.span = next_span();
    return out;
  }
  std::uint64_t next_span() override { return ++ids_; }
  std::int64_t now() const override { return clock; }
  void take(FinishedSpan span) override {
    spans_.with([&](auto& spans) { spans.push_back(std::move(span)); });
  }

  /// In the order in which they ended.
  std::vector<FinishedSpan> spans() const {
    return spans_.with([](const auto& spans) { return spans; });
  }
  /// The first span with that name; fails the test if there is none.
  FinishedSpan named(std::string_view name) const {
    for (FinishedSpan& each : spans())
      if (each.name == name) return std::move(each);
    ADD_FAILURE() << "no span " << name;
    return {};
  }

  std::atomic<std::int64_t> clock = 1'000'000'000'000;

 private:
  std::atomic<std::uint64_t> ids_ = 0;
  Guarded<std::vector<FinishedSpan>> spans_;
};

/// An attribute as text; "" if the span does not have it.
inline std::string text_of(const FinishedSpan& span, std::string_view key) {
  for (const SpanAttribute& each : span.attributes)
    if (each.key == key) {
      const auto* const text = std::get_if<std::string>(&each.value);
      return text != nullptr ? *text : std::to_string(std::get<std::int64_t>(each.value));
    }
  return "";
}

}  // namespace portico::testing
