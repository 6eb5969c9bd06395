// Traces: what a piece of work was made of, and how long each part of it took. Only modules below
// the pure line may use it.
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

/// With OTLP's numbers.
enum class SpanKind { kInternal = 1, kServer = 2, kClient = 3 };

struct SpanAttribute {
  std::string key;  // "portico.name"; OpenTelemetry's own names where there are any
  std::variant<std::string, std::int64_t> value;
};

/// Of a text no more bytes are kept: it may be of somebody else, and many spans may wait.
inline constexpr std::size_t kMostOfSpanText = 4096;

/// A piece of work that has ended. Texts are as they were met: whoever sends them elsewhere leaves
/// out what is secret.
struct FinishedSpan {
  SpanContext context{};
  std::uint64_t parent = 0;  // a span of the same trace; 0: it begins the trace
  SpanKind kind = SpanKind::kInternal;
  std::string name{};               // of a short list, as "git push": no names of objects
  std::int64_t begin = 0, end = 0;  // nanoseconds since 1970
  std::vector<SpanAttribute> attributes{};
  std::optional<std::string> error{};  // why it failed
};

/// Where spans go; telemetry/traces.h sends them to a collector. Whoever may have no Tracer takes a
/// pointer. Safe from any thread; no call waits for anything.
class Tracer {
 public:
  virtual ~Tracer() = default;
  /// The first span of this process in a new trace, or below `parent` in that of somebody else;
  /// nothing where the trace is not to be recorded.
  virtual std::optional<SpanContext> begin(const std::optional<SpanContext>& parent) = 0;
  /// An id for one more span.
  virtual std::uint64_t next_span() = 0;
  /// Nanoseconds since 1970.
  virtual std::int64_t now() const = 0;
  virtual void take(FinishedSpan span) = 0;
};

/// A piece of work from its construction to its end, on one thread: meanwhile it is the thread's
/// current span, and what the thread begins then is a part of it. Where nobody records, it does
/// nothing and costs next to nothing; what is dear to say of it asks first whether it records.
class Span {
 public:
  /// A part of the thread's current span; nothing where there is none.
  explicit Span(std::string_view name, SpanKind kind = SpanKind::kInternal);
  /// Begins a trace, or continues that of `parent`; `tracer` may be null.
  Span(Tracer* tracer, std::string_view name, SpanKind kind = SpanKind::kInternal,
       const std::optional<SpanContext>& parent = std::nullopt);
  ~Span();
  Span(const Span&) = delete;
  Span& operator=(const Span&) = delete;

  /// Whether anybody records it.
  explicit operator bool() const { return work_ != nullptr; }

  /// For what is known later than that it begins.
  void rename(std::string_view name);
  /// "" is not said.
  void set(std::string_view key, std::string_view value);
  void set(std::string_view key, std::int64_t value);
  void fail(std::string_view why);
  /// Says how it ended: "portico.outcome" is "ok" or the name of the Error's code.
  template <class T>
  void ends_as(const Result<T>& outcome) {
    if (work_ == nullptr) return;
    set("portico.outcome", outcome ? "ok" : name(outcome.error().code));
    if (!outcome) fail(outcome.error().text());
  }

  /// That of the thread; null for none.
  static Span* current();
  /// For the request to another program that the current span is about to send; "" for none.
  static std::string traceparent();

 private:
  struct Work;
  void begin(std::unique_ptr<Work> work, std::string_view name, SpanKind kind);
  std::unique_ptr<Work> work_;  // null: nobody records it
};

/// What `work(Span&)` hands back, a Result, with the time that it took as a part of the thread's
/// current span.
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
