// Which repository URLs name folders on this machine.
#pragma once

#include <optional>
#include <string>

namespace portico::repo {

/// The path that `url` is on this machine; nothing for everything that needs a network.
std::optional<std::string> local_path(const std::string& url);

}  // namespace portico::repo
