// The identity of a trace, and "traceparent", the W3C Trace Context header that carries it between
// programs. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace portico {

/// A trace and one span in it. Ids are never zero.
struct SpanContext {
  std::uint64_t trace_high = 0, trace_low = 0;
  std::uint64_t span = 0;
  bool sampled = true;  // recorded by at least one participant

  std::string trace_id() const;  // 32 lower-case hex digits
  bool operator==(const SpanContext&) const = default;
};

/// 16 lower-case hex digits.
std::string span_id_text(std::uint64_t span);

/// "00-TRACE-SPAN-01" if sampled, else "00-TRACE-SPAN-00".
std::string traceparent_text(const SpanContext& context);

/// Parses the header; of a later version, the part that version 00 defines. nullopt if it is
/// malformed: the receiver then starts a new trace.
std::optional<SpanContext> parse_traceparent(std::string_view text);

}  // namespace portico
