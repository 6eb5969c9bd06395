// URLs, read as Go's url.ParseRequestURI reads them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace portico::cel_lib::internal {

struct Url {
  std::string scheme;  // lower case
  std::string host;    // with the port
  std::string path;    // escaped
  std::string query;   // without the '?'

  std::string hostname() const;  // without port and brackets
  std::string port() const;
  /// Keys to their values in order, both unescaped; broken pairs are left out.
  std::map<std::string, std::vector<std::string>> query_values() const;
  std::string text() const;
};

/// An absolute URI or an absolute path; nothing, with the reason, for all else.
std::optional<Url> parse_url(std::string_view text, std::string& error);

}  // namespace portico::cel_lib::internal
