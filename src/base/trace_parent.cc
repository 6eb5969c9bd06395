#include "base/trace_parent.h"

#include <fmt/format.h>

namespace portico {
namespace {

// Upper-case digits are not allowed.
std::optional<std::uint64_t> hex_number(std::string_view digits) {
  std::uint64_t out = 0;
  for (const char c : digits) {
    const bool is_digit = c >= '0' && c <= '9';
    if (!is_digit && (c < 'a' || c > 'f')) return std::nullopt;
    out = out << 4 | static_cast<std::uint64_t>(is_digit ? c - '0' : c - 'a' + 10);
  }
  return out;
}

}  // namespace

std::string SpanContext::trace_id() const {
  return fmt::format("{:016x}{:016x}", trace_high, trace_low);
}

std::string span_id_text(std::uint64_t span) { return fmt::format("{:016x}", span); }

std::string traceparent_text(const SpanContext& context) {
  return fmt::format("00-{}-{}-{}", context.trace_id(), span_id_text(context.span),
                     context.sampled ? "01" : "00");
}

std::optional<SpanContext> parse_traceparent(std::string_view text) {
  constexpr std::size_t kSize = 55;
  if (text.size() < kSize || text[2] != '-' || text[35] != '-' || text[52] != '-')
    return std::nullopt;
  const auto version = hex_number(text.substr(0, 2));
  if (!version || *version == 0xff) return std::nullopt;
  if (text.size() > kSize && (*version == 0 || text[kSize] != '-')) return std::nullopt;
  const auto high = hex_number(text.substr(3, 16)), low = hex_number(text.substr(19, 16)),
             span = hex_number(text.substr(36, 16)), flags = hex_number(text.substr(53, 2));
  if (!high || !low || !span || !flags) return std::nullopt;
  if ((*high == 0 && *low == 0) || *span == 0) return std::nullopt;
  return SpanContext{*high, *low, *span, (*flags & 1) != 0};
}

}  // namespace portico
