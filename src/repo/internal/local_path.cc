#include "repo/internal/local_path.h"

namespace portico::repo {

std::optional<std::string> local_path(const std::string& url) {
  if (url.starts_with("file://")) {
    std::string path = url.substr(7);
    if (path.starts_with("localhost/")) path = path.substr(9);
    return path;
  }
  if (url.find("://") != std::string::npos) return std::nullopt;
  // scp form host:path, unless a slash comes before the colon: then it is a path that contains ':'.
  const std::size_t colon = url.find(':');
  if (colon != std::string::npos && url.find('/') > colon) return std::nullopt;
  return url;
}

}  // namespace portico::repo
