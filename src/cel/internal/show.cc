// Readable text for values.
#include <fmt/format.h>

#include <cmath>

#include "cel/numbers.h"
#include "cel/time.h"
#include "cel/utf8.h"
#include "cel/value.h"

namespace portico::cel {
namespace {

std::string quoted(std::string_view text, bool bytes) {
  std::string out = bytes ? "b\"" : "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (byte < 0x20 || byte == 0x7f || (bytes && byte >= 0x80)) {
      out += fmt::format("\\x{:02x}", byte);
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string double_literal(double value) {
  if (!std::isfinite(value)) return fmt::format("double(\"{}\")", double_text(value));
  std::string out = double_text(value);
  return out.find_first_of(".e") == std::string::npos ? out + ".0" : out;
}

std::string show_within(const Value& value, int depth) {
  if (depth > 100) return "...";
  switch (value.kind()) {
    case Kind::kNull:
      return "null";
    case Kind::kBool:
      return value.as_bool() ? "true" : "false";
    case Kind::kInt:
      return fmt::format("{}", value.as_int());
    case Kind::kUint:
      return fmt::format("{}u", value.as_uint());
    case Kind::kDouble:
      return double_literal(value.as_double());
    case Kind::kString:
      return quoted(value.text(), false);
    case Kind::kBytes:
      return quoted(value.text(), true);
    case Kind::kType:
      return std::string(value.text());
    case Kind::kTimestamp:
      return fmt::format("timestamp(\"{}\")", timestamp_text(value.as_timestamp()));
    case Kind::kDuration:
      return fmt::format("duration(\"{}\")", duration_text(value.as_duration()));
    case Kind::kList: {
      std::string out;
      for (std::size_t i = 0; i < value.as_list().size(); ++i)
        out += (i == 0 ? "" : ", ") + show_within(value.as_list().at(i), depth + 1);
      return "[" + out + "]";
    }
    case Kind::kMap: {
      std::string out;
      for (const Value& key : value.as_map().keys())
        out += (out.empty() ? "" : ", ") + show_within(key, depth + 1) + ": " +
               show_within(value.as_map().find(key).value_or(Value()), depth + 1);
      return "{" + out + "}";
    }
    case Kind::kOptional: {
      const Value* held = value.as_optional();
      return held == nullptr ? "optional.none()"
                             : "optional.of(" + show_within(*held, depth + 1) + ")";
    }
    case Kind::kOpaque:
      return fmt::format("{}({})", value.type_name(), value.as_opaque().text());
    case Kind::kError:
      return fmt::format("error({})", quoted(value.error_message(), false));
  }
  return "";
}

}  // namespace

std::string show(const Value& value) { return show_within(value, 0); }

}  // namespace portico::cel
