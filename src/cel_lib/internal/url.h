// URLs, parsed like Go's url.ParseRequestURI.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace portico::cel_lib::internal {

struct Url {
  std::string scheme;  // lower case
  std::string host;    // including the port
  std::string path;    // escaped
  std::string query;   // without the '?'

  std::string hostname() const;  // without port and brackets
  std::string port() const;
  /// Maps keys to their values in order, both unescaped; malformed pairs are dropped.
  std::map<std::string, std::vector<std::string>> query_values() const;
  std::string text() const;
};

/// Parses an absolute URI or an absolute path; for anything else returns nullopt and the reason.
std::optional<Url> parse_url(std::string_view text, std::string& error);

}  // namespace portico::cel_lib::internal
