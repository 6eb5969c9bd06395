#include "base/host_port.h"

#include <fmt/format.h>

#include <charconv>

namespace portico {

std::string HostPort::text() const {
  return fmt::format("{}:{}", host.find(':') == std::string::npos ? host : "[" + host + "]", port);
}

Result<HostPort> parse_host_port(std::string_view text) {
  const auto wrong = [&] {
    return invalid("invalid address {:?}: must be HOST:PORT, such as 127.0.0.1:9090", text);
  };
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return wrong();
  std::string_view host = text.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']'))
    host = host.substr(1, host.size() - 2);
  else if (host.find_first_of(":[]") != std::string_view::npos)
    return wrong();
  HostPort out{.host = std::string(host)};
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data() + colon + 1, last, out.port);
  if (error != std::errc() || end != last) return wrong();
  return out;
}

}  // namespace portico
