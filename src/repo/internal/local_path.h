// Recognizes repository URLs of folders on this machine.
#pragma once

#include <optional>
#include <string>

namespace portico::repo {

/// The local path for `url`; nullopt if the URL needs the network.
std::optional<std::string> local_path(const std::string& url);

}  // namespace portico::repo
