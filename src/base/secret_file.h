// Reads small files, and files that only their owner may read. For modules below the pure line.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"

namespace portico {

/// Reads the whole file. Returns kNotFound if it does not exist, and kInvalid if it is larger than
/// `most` or not a regular file. With `secret`, also kInvalid if the group or others have any
/// access to it.
Result<std::string> read_small_file(const std::string& path, std::size_t most, bool secret = false);

/// Writes the file atomically and durably (fsync), with mode 0600.
Result<Done> write_secret_file(const std::string& path, std::string_view bytes);

}  // namespace portico
