// File operations that must survive a crash: all writes and syncs report errors.
#pragma once

#include <string>
#include <string_view>

#include "base/fd.h"
#include "base/result.h"

namespace portico::git {

/// Opens a regular file or a folder. Anything else is refused without blocking: opening a named
/// pipe would block until a writer opens it.
Result<Fd> open_file(const std::string& path, int flags, unsigned mode = 0644);
/// Fails if `path` exists and is neither a regular file nor a folder.
Result<Done> check_regular(const std::string& path);
/// The whole file; kNotFound if it does not exist.
Result<std::string> read_whole(const std::string& path, std::size_t limit = std::size_t{1} << 31);
Result<Done> sync_file(const Fd& fd, const std::string& path);
Result<Done> sync_folder(const std::string& path);
Result<Done> rename_file(const std::string& from, const std::string& to);
/// Creates the folder and its parents. An existing folder is not an error.
Result<Done> make_folders(const std::string& path);
bool is_folder(const std::string& path);
bool exists(const std::string& path);
/// The folder part of a path; `path` must contain a '/'.
std::string parent_of(const std::string& path);

}  // namespace portico::git
