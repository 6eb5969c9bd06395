// Files that only their owner may read.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"

namespace portico::identity::internal {

/// The whole file; kNotFound where there is none, kInvalid where it is larger than `most` or no
/// regular file. With `secret`, kInvalid too where its group or others may read or change it.
Result<std::string> read_file(const std::string& path, std::size_t most, bool secret);

/// Written whole and durably, or not at all; mode 0600.
Result<Done> write_secret(const std::string& path, std::string_view bytes);

}  // namespace portico::identity::internal
