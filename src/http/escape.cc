#include "http/escape.h"

#include <algorithm>
#include <charconv>

#include "http/headers.h"

namespace portico::http {
namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool is_unreserved(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '.' || c == '_' || c == '~';
}

Result<std::string> decode(std::string_view text, bool plus_is_blank) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+' && plus_is_blank) {
      out += ' ';
    } else if (text[i] != '%') {
      out += text[i];
    } else {
      const int high = i + 2 < text.size() ? hex_digit(text[i + 1]) : -1;
      const int low = i + 2 < text.size() ? hex_digit(text[i + 2]) : -1;
      if (high < 0 || low < 0)
        return invalid("invalid URL escape \"{}\"", text.substr(i, 3)).because(Reason::kBadRequest);
      out += static_cast<char>(high * 16 + low);
      i += 2;
    }
  }
  return out;
}

Error bad_url(std::string_view text, std::string_view why) {
  return invalid("invalid server URL \"{}\": {}", text, why);
}

}  // namespace

Result<std::string> percent_decode(std::string_view text) { return decode(text, false); }

std::string percent_encode(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    if (is_unreserved(c)) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += '%';
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  }
  return out;
}

Result<std::vector<std::string>> path_segments(std::string_view path) {
  if (!path.starts_with('/'))
    return invalid("the path \"{}\" does not begin with '/'", path).because(Reason::kBadRequest);
  std::vector<std::string> segments;
  while (!path.empty()) {
    path.remove_prefix(1);
    const std::size_t end = std::min(path.find('/'), path.size());
    PORTICO_TRY(std::string segment, percent_decode(path.substr(0, end)));
    if (segment.find('\0') != std::string::npos)
      return invalid("the path contains a NUL character").because(Reason::kBadRequest);
    segments.push_back(std::move(segment));
    path.remove_prefix(end);
  }
  return segments;
}

Result<Query> Query::parse(std::string_view raw) {
  Query query;
  while (!raw.empty()) {
    const std::size_t end = std::min(raw.find('&'), raw.size());
    const std::string_view pair = raw.substr(0, end);
    raw.remove_prefix(std::min(end + 1, raw.size()));
    if (pair.empty()) continue;
    if (pair.find(';') != std::string_view::npos)
      return invalid("invalid semicolon separator in query").because(Reason::kBadRequest);
    const std::size_t equals = std::min(pair.find('='), pair.size());
    PORTICO_TRY(std::string name, decode(pair.substr(0, equals), true));
    PORTICO_TRY(std::string value, decode(pair.substr(std::min(equals + 1, pair.size())), true));
    query.add(std::move(name), std::move(value));
  }
  return query;
}

std::string_view Query::get(std::string_view name) const {
  for (const auto& pair : pairs_)
    if (pair.first == name) return pair.second;
  return {};
}

bool Query::has(std::string_view name) const {
  return std::any_of(pairs_.begin(), pairs_.end(),
                     [&](const auto& pair) { return pair.first == name; });
}

std::vector<std::string_view> Query::all(std::string_view name) const {
  std::vector<std::string_view> values;
  for (const auto& pair : pairs_)
    if (pair.first == name) values.push_back(pair.second);
  return values;
}

std::string Query::text() const {
  std::string out;
  for (const auto& pair : pairs_) {
    if (!out.empty()) out += '&';
    // Keep '=' even without a value: an empty name alone would not be a pair.
    out.append(percent_encode(pair.first)).append("=").append(percent_encode(pair.second));
  }
  return out;
}

std::string Url::authority() const {
  const bool is_v6 = host.find(':') != std::string::npos;
  return fmt::format("{}{}{}:{}", is_v6 ? "[" : "", host, is_v6 ? "]" : "", port);
}

Result<Url> parse_url(std::string_view text) {
  Url url;
  const std::size_t colon = text.find("://");
  const std::string_view scheme = text.substr(0, std::min(colon, text.size()));
  if (same_name(scheme, "https")) {
    url.scheme = "https";
  } else if (same_name(scheme, "http")) {
    url.scheme = "http";
  } else {
    return bad_url(text, "it must start with \"https://\" or \"http://\"");
  }
  if (colon == std::string_view::npos) return bad_url(text, "\"://\" is missing");
  std::string_view rest = text.substr(colon + 3);
  if (rest.find_first_of("?#") != std::string_view::npos)
    return bad_url(text, "it must not have a query or fragment");
  const auto is_odd = [](char c) { return c <= ' ' || c == '\x7f' || c == '"' || c == '\\'; };
  if (std::any_of(rest.begin(), rest.end(), is_odd))
    return bad_url(text, "it contains whitespace or characters that must be escaped");
  std::string_view authority = rest.substr(0, std::min(rest.find('/'), rest.size()));
  rest.remove_prefix(authority.size());
  if (authority.find('@') != std::string_view::npos)
    return bad_url(text, "it must not contain a user name or password");
  if (authority.starts_with('[')) {
    const std::size_t end = authority.find(']');
    if (end == std::string_view::npos) return bad_url(text, "']' is missing");
    url.host = authority.substr(1, end - 1);
    authority.remove_prefix(end + 1);
    if (url.host.find(':') == std::string::npos) return bad_url(text, "no IPv6 address in []");
  } else {
    url.host = authority.substr(0, std::min(authority.find(':'), authority.size()));
    authority.remove_prefix(url.host.size());
  }
  if (url.host.empty()) return bad_url(text, "it has no host");
  url.port = url.scheme == "https" ? 443 : 80;
  if (!authority.empty()) {
    const char* const end = authority.data() + authority.size();
    const auto [at, error] = std::from_chars(authority.data() + 1, end, url.port);
    if (authority[0] != ':' || error != std::errc() || at != end || url.port < 1 ||
        url.port > 65535)
      return bad_url(text, fmt::format("invalid port \"{}\"", authority));
  }
  while (rest.ends_with('/')) rest.remove_suffix(1);
  url.path = rest;
  return url;
}

}  // namespace portico::http
