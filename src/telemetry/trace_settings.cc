#include "telemetry/trace_settings.h"

#include <charconv>
#include <cmath>
#include <cstdlib>

#include "base/secrets.h"
#include "http/escape.h"

namespace portico::telemetry {
namespace {

constexpr std::string_view kPath = "/v1/traces", kBlanks = " \t";

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && kBlanks.find(text.front()) != std::string_view::npos)
    text.remove_prefix(1);
  while (!text.empty() && kBlanks.find(text.back()) != std::string_view::npos)
    text.remove_suffix(1);
  return text;
}

// An empty variable counts as unset.
std::string value_of(const Environment& environment, const char* name) {
  const char* const value = environment(name);
  return std::string(trimmed(value != nullptr ? value : ""));
}

enum class Form { kBase, kWhole };

Result<Done> set_url(TraceSettings& settings, const std::string& text, Form form) {
  const auto parsed = http::parse_url(text);
  if (!parsed) return invalid("{}", without_secrets(parsed.error().text()));
  const http::Url& url = *parsed;
  settings.server = fmt::format("{}://{}", url.scheme, url.authority());
  settings.target = url.path;
  if (form == Form::kBase && !url.path.ends_with(kPath)) settings.target += kPath;
  if (settings.target.empty()) settings.target = "/";
  return Done{};
}

bool is_token(std::string_view text) {
  const auto is_part = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
  };
  for (const char c : text)
    if (!is_part(c)) return false;
  return !text.empty();
}

Result<http::Headers> headers_of(std::string_view text) {
  http::Headers out;
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t comma = text.find(',');
    const std::string_view pair = trimmed(text.substr(0, comma));
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
    if (pair.empty()) continue;
    const std::size_t equal = pair.find('=');
    const std::string_view name = trimmed(pair.substr(0, equal));
    const auto value = equal == std::string_view::npos
                           ? Result<std::string>(invalid("no value"))
                           : http::percent_decode(trimmed(pair.substr(equal + 1)));
    const bool broken =
        value && value->find_first_of(std::string_view("\r\n\0", 3)) != std::string::npos;
    if (!is_token(name) || !value || broken)
      return invalid("field {} is not NAME=VALUE, with other characters percent-encoded", number);
    out.set(name, *value);
  }
  return out;
}

Result<double> ratio_of(const std::string& text) {
  if (text.empty()) return 1.0;
  char* end = nullptr;
  const double ratio = std::strtod(text.c_str(), &end);
  if (*end != '\0' || !(ratio >= 0 && ratio <= 1))
    return invalid("{:?} is not a number from 0 to 1", text);
  return ratio;
}

Result<std::chrono::milliseconds> delay_of(const std::string& text,
                                           std::chrono::milliseconds otherwise) {
  constexpr int kLongest = 3'600'000;
  if (text.empty()) return otherwise;
  int delay = -1;
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, delay);
  if (error != std::errc() || at != end || delay < 0 || delay > kLongest)
    return invalid("{:?} is not a number of milliseconds from 0 to {}", text, kLongest);
  return std::chrono::milliseconds(delay);
}

Result<Sampling> sampling_of(const Environment& environment) {
  constexpr std::string_view kByParent = "parentbased_";
  const std::string text = value_of(environment, "OTEL_TRACES_SAMPLER");
  Sampling out;
  if (text.empty()) return out;
  std::string_view word = text;
  out.as_parent = word.starts_with(kByParent);
  if (out.as_parent) word.remove_prefix(kByParent.size());
  if (word == "always_off") {
    out.ratio = 0;
  } else if (word == "traceidratio") {
    PORTICO_TRY(out.ratio, ratio_of(value_of(environment, "OTEL_TRACES_SAMPLER_ARG")),
                "OTEL_TRACES_SAMPLER_ARG");
  } else if (word != "always_on") {
    return invalid(
               "{:?} is not supported; use parentbased_traceidratio with a number from 0 to 1 in "
               "OTEL_TRACES_SAMPLER_ARG",
               text)
        .in("OTEL_TRACES_SAMPLER");
  }
  return out;
}

}  // namespace

bool Sampling::takes(const SpanContext& fresh, const std::optional<SpanContext>& parent) const {
  if (as_parent && parent) return parent->sampled;
  // Uses 63 bits of the id, as other OpenTelemetry implementations do; rounded to double, the
  // highest ids become 2^63.
  return ratio >= 1 || static_cast<double>(fresh.trace_low >> 1) < std::ldexp(ratio, 63);
}

Result<std::optional<TraceSettings>> trace_settings(const std::string& flag,
                                                    const Environment& environment) {
  constexpr const char* kTraces = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT";
  constexpr const char* kAll = "OTEL_EXPORTER_OTLP_ENDPOINT";
  std::optional<TraceSettings> none;
  if (value_of(environment, "OTEL_SDK_DISABLED") == "true") return none;
  TraceSettings out;
  if (!flag.empty()) {
    PORTICO_DO(set_url(out, flag, Form::kBase), "--traces");
  } else if (const std::string whole = value_of(environment, kTraces); !whole.empty()) {
    PORTICO_DO(set_url(out, whole, Form::kWhole), kTraces);
  } else if (const std::string base = value_of(environment, kAll); !base.empty()) {
    PORTICO_DO(set_url(out, base, Form::kBase), kAll);
  } else {
    return none;
  }
  PORTICO_TRY(out.headers, headers_of(value_of(environment, "OTEL_EXPORTER_OTLP_HEADERS")),
              "OTEL_EXPORTER_OTLP_HEADERS");
  if (std::string service = value_of(environment, "OTEL_SERVICE_NAME"); !service.empty())
    out.service = std::move(service);
  PORTICO_TRY(out.sampling, sampling_of(environment));
  PORTICO_TRY(out.wait, delay_of(value_of(environment, "OTEL_BSP_SCHEDULE_DELAY"), out.wait),
              "OTEL_BSP_SCHEDULE_DELAY");
  return std::optional(std::move(out));
}

}  // namespace portico::telemetry
