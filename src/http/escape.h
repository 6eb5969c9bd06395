// Percent-encoding, URL paths, queries and server URLs. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace portico::http {

/// Decodes percent escapes ("%41"); kInvalid for a '%' without two hex digits.
Result<std::string> percent_decode(std::string_view text);

/// Escapes everything but letters, digits and "-._~", for use in a path or query.
std::string percent_encode(std::string_view text);

/// The decoded segments of an escaped path: "/apis/a%2Fb/" is {"apis", "a/b", ""}; "/" is {""}. An
/// escaped '/' does not separate segments. kInvalid if the path does not begin with '/', or has a
/// malformed escape or an escaped NUL.
Result<std::vector<std::string>> path_segments(std::string_view path);

/// The decoded pairs of a query, in order. A value type.
class Query {
 public:
  Query() = default;
  /// Parses "a=1&b&a=x+y": '+' is a blank; a name without '=' has the value "". kInvalid for a
  /// malformed escape and for ';', which only some implementations treat as a separator.
  static Result<Query> parse(std::string_view raw);

  /// The value of the first pair with that name; "" if there is none.
  std::string_view get(std::string_view name) const;
  bool has(std::string_view name) const;
  std::vector<std::string_view> all(std::string_view name) const;
  const std::vector<std::pair<std::string, std::string>>& pairs() const { return pairs_; }

  void add(std::string name, std::string value) {
    pairs_.emplace_back(std::move(name), std::move(value));
  }
  /// The escaped query, in order; parse(text()) is equal.
  std::string text() const;
  bool operator==(const Query&) const = default;

 private:
  std::vector<std::pair<std::string, std::string>> pairs_;
};

/// The URL of a server: "https://host:port/prefix".
struct Url {
  std::string scheme;  // "http" or "https"
  std::string host;    // without the brackets of an IPv6 address
  int port = 0;        // defaults to 80 or 443
  std::string path;    // escaped; "" or begins with '/', never ends with '/'
  bool operator==(const Url&) const = default;

  /// "host:port", with brackets if the host is an IPv6 address.
  std::string authority() const;
};

/// kInvalid for other schemes, credentials, queries, fragments, and invalid hosts or ports.
Result<Url> parse_url(std::string_view text);

}  // namespace portico::http
