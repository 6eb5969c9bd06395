#include "telemetry/otlp.h"

#include <algorithm>
#include <charconv>

#include "base/printable.h"
#include "base/secrets.h"
#include "base/utf8.h"
#include "json/text.h"
#include "json/value.h"

namespace portico::telemetry {

using json::Value;

namespace {

constexpr std::string_view kCut = "...";

std::string shown(std::string_view text) {
  // Before the cut: half a credential is not recognized.
  std::string out = printable(without_secrets(text));
  if (out.size() <= kMostSpanText) return out;
  std::size_t end = kMostSpanText - kCut.size();
  const auto continues = [&](std::size_t at) {
    return (static_cast<unsigned char>(out[at]) & 0xc0) == 0x80;
  };
  while (end > 0 && continues(end)) --end;
  out.resize(end);
  return out.append(kCut);
}

Value attribute(std::string_view key, const Value& value) {
  return Value::object({{"key", key}, {"value", value}});
}

Value text_attribute(std::string_view key, std::string_view text) {
  return attribute(key, Value::object({{"stringValue", shown(text)}}));
}

// Protobuf's JSON mapping writes 64-bit integers as strings.
Value json_of(const SpanAttribute& each) {
  if (const auto* text = std::get_if<std::string>(&each.value))
    return text_attribute(each.key, *text);
  const std::string number = std::to_string(std::get<std::int64_t>(each.value));
  return attribute(each.key, Value::object({{"intValue", number}}));
}

Value json_of(const FinishedSpan& span) {
  constexpr int kError = 2;
  std::vector<Value> attributes;
  for (const SpanAttribute& each : span.attributes) attributes.push_back(json_of(each));
  std::vector<json::Member> members{{"traceId", span.context.trace_id()},
                                    {"spanId", span_id_text(span.context.span)},
                                    {"name", shown(span.name)},
                                    {"kind", static_cast<int>(span.kind)},
                                    {"startTimeUnixNano", std::to_string(span.begin)},
                                    {"endTimeUnixNano", std::to_string(span.end)},
                                    {"attributes", Value::array(std::move(attributes))}};
  if (span.parent != 0) members.push_back({"parentSpanId", span_id_text(span.parent)});
  if (span.error)
    members.push_back(
        {"status", Value::object({{"code", kError}, {"message", shown(*span.error)}})});
  return Value::object(std::move(members));
}

}  // namespace

std::string otlp_traces(const std::map<std::string, std::string>& resource,
                        std::span<const FinishedSpan> spans) {
  std::vector<Value> about, all;
  for (const auto& [key, value] : resource) about.push_back(text_attribute(key, value));
  for (const FinishedSpan& span : spans) all.push_back(json_of(span));
  const Value scope = Value::object({{"name", "portico"}});
  const Value of_scope = Value::object({{"scope", scope}, {"spans", Value::array(std::move(all))}});
  const Value of_resource =
      Value::object({{"resource", Value::object({{"attributes", Value::array(std::move(about))}})},
                     {"scopeSpans", Value::array({of_scope})}});
  return json::print(Value::object({{"resourceSpans", Value::array({of_resource})}}));
}

Rejected rejected_spans(std::string_view answer) {
  Rejected out;
  const auto parsed = json::parse(answer, {.bytes = std::size_t{1} << 20});
  if (!parsed) return out;
  const Value& partial = (*parsed)["partialSuccess"];
  const Value& count = partial["rejectedSpans"];
  if (count.is_string()) {
    const std::string_view digits = count.as_string();
    std::from_chars(digits.data(), digits.data() + digits.size(), out.spans);
  } else {
    out.spans = count.as_uint();
  }
  out.why = partial["errorMessage"].as_string();
  return out;
}

}  // namespace portico::telemetry
