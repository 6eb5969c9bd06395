// Small files, and those that only their owner may read. For modules below the pure line.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"

namespace portico {

/// The whole file; kNotFound where there is none, kInvalid where it is larger than `most` or no
/// regular file. With `secret`, kInvalid too where its group or others may read or change it.
Result<std::string> read_small_file(const std::string& path, std::size_t most, bool secret = false);

/// Written whole and durably, or not at all; mode 0600.
Result<Done> write_secret_file(const std::string& path, std::string_view bytes);

}  // namespace portico
