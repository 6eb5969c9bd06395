// Tracing: the parts of a piece of work and the duration of each. Only modules below the pure line
// may use it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/result.h"
#include "base/trace_parent.h"

namespace portico {

/// Numbered as in OTLP.
enum class SpanKind { kInternal = 1, kServer = 2, kClient = 3 };

struct SpanAttribute {
  std::string key;  // "portico.name"; OpenTelemetry's own names where they exist
  std::variant<std::string, std::int64_t> value;
};

/// Longer texts are cut: they may be untrusted, and many spans may be queued.
inline constexpr std::size_t kMostOfSpanText = 4096;

/// A piece of work that has ended. Texts are unfiltered: code that exports them must remove
/// secrets.
struct FinishedSpan {
  SpanContext context{};
  std::uint64_t parent = 0;  // a span of the same trace; 0: the root of the trace
  SpanKind kind = SpanKind::kInternal;
  std::string name{};               // from a short list ("git push"): no object names
  std::int64_t begin = 0, end = 0;  // nanoseconds since 1970
  std::vector<SpanAttribute> attributes{};
  std::optional<std::string> error{};  // why it failed
};

/// Destination of spans; telemetry/traces.h sends them to a collector. Code for which tracing is
/// optional takes a pointer. Thread-safe; no call blocks.
class Tracer {
 public:
  virtual ~Tracer() = default;
  /// The first span of this process: the root of a new trace, or a child of `parent` in a trace
  /// that another process started. nullopt if the trace is not to be recorded.
  virtual std::optional<SpanContext> begin(const std::optional<SpanContext>& parent) = 0;
  /// A new span id.
  virtual std::uint64_t next_span() = 0;
  /// Nanoseconds since 1970.
  virtual std::int64_t now() const = 0;
  virtual void take(FinishedSpan span) = 0;
};

/// A piece of work, from construction to destruction, on one thread. During that time it is the
/// thread's current span, and spans that the thread begins become its children. Without a recording
/// Tracer it does nothing and costs next to nothing; check operator bool before computing expensive
/// attributes.
class Span {
 public:
  /// A child of the thread's current span; does nothing if there is none.
  explicit Span(std::string_view name, SpanKind kind = SpanKind::kInternal);
  /// Begins a trace, or continues the one of `parent`; `tracer` may be null.
  Span(Tracer* tracer, std::string_view name, SpanKind kind = SpanKind::kInternal,
       const std::optional<SpanContext>& parent = std::nullopt);
  ~Span();
  Span(const Span&) = delete;
  Span& operator=(const Span&) = delete;

  /// Whether it is recorded.
  explicit operator bool() const { return work_ != nullptr; }

  /// For a name that is only known after the beginning.
  void rename(std::string_view name);
  /// An empty value is omitted.
  void set(std::string_view key, std::string_view value);
  void set(std::string_view key, std::int64_t value);
  void fail(std::string_view why);
  /// Records the outcome: "portico.outcome" is "ok" or the name of the Error's code.
  template <class T>
  void ends_as(const Result<T>& outcome) {
    if (work_ == nullptr) return;
    set("portico.outcome", outcome ? "ok" : name(outcome.error().code));
    if (!outcome) fail(outcome.error().text());
  }

  /// The thread's current span; null for none.
  static Span* current();
  /// Header value for a request that the current span is about to send; "" for none.
  static std::string traceparent();

 private:
  struct Work;
  void begin(std::unique_ptr<Work> work, std::string_view name, SpanKind kind);
  std::unique_ptr<Work> work_;  // null: not recorded
};

/// Runs `work(Span&)` in a child of the thread's current span and returns its Result.
template <class Work>
auto traced(std::string_view name, SpanKind kind, const Work& work) {
  Span span(name, kind);
  auto outcome = work(span);
  span.ends_as(outcome);
  return outcome;
}
template <class Work>
auto traced(std::string_view name, const Work& work) {
  return traced(name, SpanKind::kInternal, work);
}

}  // namespace portico
