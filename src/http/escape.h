// Percent escapes, paths and queries of URLs. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace portico::http {

/// `text` with "%41" decoded; kInvalid for a '%' without two hex digits.
Result<std::string> percent_decode(std::string_view text);

/// Everything but letters, digits and "-._~" escaped, so that it can stand in a path or a query.
std::string percent_encode(std::string_view text);

/// The decoded parts of an escaped path: "/apis/a%2Fb/" is {"apis", "a/b", ""}; "/" is {""}. An
/// escaped '/' separates nothing. kInvalid for a path that does not begin with '/', a wrong escape
/// and an escaped NUL.
Result<std::vector<std::string>> path_segments(std::string_view path);

/// The decoded pairs of a query, in order. A value.
class Query {
 public:
  Query() = default;
  /// "a=1&b&a=x+y": '+' is a blank, a name without '=' has the value "". kInvalid for a wrong
  /// escape and for ';', which some take for a separator and others do not.
  static Result<Query> parse(std::string_view raw);

  /// The value of the first pair of that name; "" where there is none.
  std::string_view get(std::string_view name) const;
  bool has(std::string_view name) const;
  std::vector<std::string_view> all(std::string_view name) const;
  const std::vector<std::pair<std::string, std::string>>& pairs() const { return pairs_; }

  void add(std::string name, std::string value) {
    pairs_.emplace_back(std::move(name), std::move(value));
  }
  /// As it is sent, escaped, in order; parse(text()) is equal.
  std::string text() const;
  bool operator==(const Query&) const = default;

 private:
  std::vector<std::pair<std::string, std::string>> pairs_;
};

/// A URL of a server: "https://host:port/prefix".
struct Url {
  std::string scheme;  // "http" or "https"
  std::string host;    // without the brackets of an IPv6 address
  int port = 0;        // 80 and 443 where none is given
  std::string path;    // escaped; "" or begins with '/', never ends with it
  bool operator==(const Url&) const = default;

  /// "host:port", brackets included where the host is an IPv6 address.
  std::string authority() const;
};

/// kInvalid for other schemes, logins, queries, fragments, and hosts or ports that are none.
Result<Url> parse_url(std::string_view text);

}  // namespace portico::http
