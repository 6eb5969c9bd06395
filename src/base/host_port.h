// HOST:PORT, the form in which options give a listen address. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace portico {

struct HostPort {
  std::string host;  // without brackets; "": all addresses of the machine
  std::uint16_t port = 0;

  /// "127.0.0.1:9090", "[::1]:9090".
  std::string text() const;
};

/// Returns kInvalid for "127.0.0.1", ":http" or "::1:80" (an IPv6 address needs brackets).
Result<HostPort> parse_host_port(std::string_view text);

}  // namespace portico
