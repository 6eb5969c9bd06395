#include "cel_lib/internal/url.h"

#include <fmt/format.h>

#include <algorithm>

#include "cel_lib/internal/declare.h"

namespace portico::cel_lib::internal {
namespace {

bool is_alpha(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
int hex_value(char c) { return is_digit(c) ? c - '0' : (c | 0x20) - 'a' + 10; }

// The first invalid escape, or "".
std::string_view bad_escape(std::string_view text) {
  for (std::size_t at = text.find('%'); at != std::string_view::npos; at = text.find('%', at + 1))
    if (at + 2 >= text.size() || !is_hex(text[at + 1]) || !is_hex(text[at + 2]))
      return text.substr(at, 3);
  return {};
}

std::optional<std::string> unescaped(std::string_view text) {
  if (!bad_escape(text).empty()) return std::nullopt;
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%') {
      out += static_cast<char>(hex_value(text[i + 1]) * 16 + hex_value(text[i + 2]));
      i += 2;
    } else {
      out += text[i] == '+' ? ' ' : text[i];
    }
  }
  return out;
}

// Escapes the bytes that are not allowed in a path.
std::string escaped_path(std::string_view path) {
  std::string out;
  for (const char c : path) {
    const bool plain = is_alpha(c) || is_digit(c) ||
                       std::string_view("-_.~$&+,/:;=@%!'()*[]").find(c) != std::string_view::npos;
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

// The port of "host:port", with its colon; "" if there is none.
std::string_view port_part(std::string_view host) {
  const std::size_t bracket = host.rfind(']');
  const std::size_t colon = host.rfind(':');
  if (colon == std::string_view::npos) return {};
  if (host.starts_with('[') && (bracket == std::string_view::npos || colon < bracket)) return {};
  return host.substr(colon);
}

// The error in the authority, or "".
std::string check_host(std::string_view host) {
  if (host.starts_with('[') && host.find(']') == std::string_view::npos)
    return "missing ']' in host";
  const std::string_view port = port_part(host);
  const bool digits = port.empty() || std::all_of(port.begin() + 1, port.end(), is_digit);
  if (!digits) return fmt::format("invalid port {} after host", go_quoted(port));
  if (const std::string_view bad = bad_escape(host); !bad.empty())
    return "invalid URL escape " + go_quoted(bad);
  for (const char c : host)
    if (std::string_view(" \"<>\\^`{|}").find(c) != std::string_view::npos)
      return fmt::format("invalid character {} in host name", go_quoted(std::string_view(&c, 1)));
  return "";
}

}  // namespace

std::string Url::hostname() const {
  std::string_view name = host;
  name.remove_suffix(port_part(host).size());
  if (name.starts_with('[') && name.ends_with(']')) name = name.substr(1, name.size() - 2);
  return std::string(name);
}

std::string Url::port() const {
  const std::string_view part = port_part(host);
  return std::string(part.empty() ? part : part.substr(1));
}

std::map<std::string, std::vector<std::string>> Url::query_values() const {
  std::map<std::string, std::vector<std::string>> out;
  std::string_view rest = query;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('&'), rest.size());
    const std::string_view pair = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (pair.empty() || pair.find(';') != std::string_view::npos) continue;
    const std::size_t equals = std::min(pair.find('='), pair.size());
    auto key = unescaped(pair.substr(0, equals));
    auto value = unescaped(pair.substr(std::min(equals + 1, pair.size())));
    if (key && value) out[std::move(*key)].push_back(std::move(*value));
  }
  return out;
}

std::string Url::text() const {
  std::string out = scheme.empty() ? "" : scheme + ":";
  if (!scheme.empty() || !host.empty()) out += "//" + host;
  out += path;
  return query.empty() ? out : out + "?" + query;
}

std::optional<Url> parse_url(std::string_view text, std::string& error) {
  const auto fail = [&](std::string_view why) {
    error = fmt::format("parse {}: {}", go_quoted(text), why);
    return std::nullopt;
  };
  if (text.empty()) return fail("empty url");
  for (const char c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      return fail("net/url: invalid control character in URL");
  Url out;
  std::string_view rest = text;
  std::size_t size = 0;
  while (size < rest.size() &&
         (is_alpha(rest[size]) || (size > 0 && (is_digit(rest[size]) || rest[size] == '+' ||
                                                rest[size] == '-' || rest[size] == '.'))))
    ++size;
  if (size < rest.size() && rest[size] == ':') {
    if (size == 0) return fail("missing protocol scheme");
    for (const char c : rest.substr(0, size))
      out.scheme += is_alpha(c) ? static_cast<char>(c | 0x20) : c;
    rest.remove_prefix(size + 1);
  }
  if (const std::size_t mark = rest.find('?'); mark != std::string_view::npos) {
    out.query = rest.substr(mark + 1);
    rest = rest.substr(0, mark);
  }
  if (!rest.starts_with('/')) {
    // "mailto:someone": opaque, kept as it is.
    if (out.scheme.empty()) return fail("invalid URI for request");
    out.path = "";
    return out;
  }
  if (rest.starts_with("//") && (!out.scheme.empty() || !rest.starts_with("///"))) {
    rest.remove_prefix(2);
    const std::size_t end = std::min(rest.find('/'), rest.size());
    std::string_view authority = rest.substr(0, end);
    rest.remove_prefix(end);
    if (const std::size_t at = authority.rfind('@'); at != std::string_view::npos)
      authority.remove_prefix(at + 1);
    if (const std::string why = check_host(authority); !why.empty()) return fail(why);
    out.host = authority;
  }
  if (const std::string_view bad = bad_escape(rest); !bad.empty())
    return fail("invalid URL escape " + go_quoted(bad));
  out.path = escaped_path(rest);
  return out;
}

}  // namespace portico::cel_lib::internal
