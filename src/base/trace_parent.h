// Which trace something belongs to, and the header by which programs tell each other: "traceparent"
// of W3C Trace Context. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace portico {

/// A trace, and one span of it. Ids are never zero.
struct SpanContext {
  std::uint64_t trace_high = 0, trace_low = 0;
  std::uint64_t span = 0;
  bool sampled = true;  // somebody records it

  std::string trace_id() const;  // 32 lower-case hex digits
  bool operator==(const SpanContext&) const = default;
};

/// 16 lower-case hex digits.
std::string span_id_text(std::uint64_t span);

/// "00-TRACE-SPAN-01", with 01 for what is sampled, else 00.
std::string traceparent_text(const SpanContext& context);

/// Reads it; of a later version as far as it is the same. Nothing where it is none: whoever gets a
/// wrong one begins a trace of his own.
std::optional<SpanContext> parse_traceparent(std::string_view text);

}  // namespace portico
