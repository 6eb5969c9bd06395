#include "base/remote_host.h"

#include <algorithm>

namespace portico {

std::string_view remote_host(std::string_view url) {
  std::string_view host = url;
  if (const std::size_t scheme = url.find("://"); scheme != url.npos) {
    host.remove_prefix(scheme + 3);
    host = host.substr(0, host.find_first_of("/?#"));
  } else {
    // The scp form, unless a slash comes before the colon: then it is a path that contains ':'.
    const std::size_t colon = url.find(':');
    host = colon < url.find('/') ? url.substr(0, colon) : std::string_view();
  }
  if (const std::size_t at = host.rfind('@'); at != host.npos) host.remove_prefix(at + 1);
  if (host.starts_with('[')) return host.substr(0, std::min(host.find(']'), host.size() - 1) + 1);
  return host.substr(0, host.find(':'));
}

}  // namespace portico
