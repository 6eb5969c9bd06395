// HOST:PORT, as options name an address to listen at. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace portico {

struct HostPort {
  std::string host;  // without brackets; "": every address of the machine
  std::uint16_t port = 0;

  /// "127.0.0.1:9090", "[::1]:9090".
  std::string text() const;
};

/// kInvalid for what is none: "127.0.0.1", ":http", "::1:80" (an IPv6 address stands in brackets).
Result<HostPort> parse_host_port(std::string_view text);

}  // namespace portico
