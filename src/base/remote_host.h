// The host of a remote repository, for messages and metrics. Pure.
#pragma once

#include <string_view>

namespace portico {

/// Without user and port: "scheme://user@host:port/path", "user@host:path". "" for a path or a
/// file:// URL. Part of `url`.
std::string_view remote_host(std::string_view url);

}  // namespace portico
