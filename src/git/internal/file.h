// Files that must survive a crash: writes and syncs that report.
#pragma once

#include <string>
#include <string_view>

#include "base/fd.h"
#include "base/result.h"

namespace portico::git {

/// A regular file, or a folder. Anything else is refused without waiting: a named pipe would hold
/// up whoever opens it until somebody writes.
Result<Fd> open_file(const std::string& path, int flags, unsigned mode = 0644);
/// Refused where there is something at `path` that is neither a regular file nor a folder.
Result<Done> check_regular(const std::string& path);
/// The whole file; kNotFound where there is none.
Result<std::string> read_whole(const std::string& path, std::size_t limit = std::size_t{1} << 31);
Result<Done> sync_file(const Fd& fd, const std::string& path);
Result<Done> sync_folder(const std::string& path);
Result<Done> rename_file(const std::string& from, const std::string& to);
/// True where it was made; an existing folder is fine. Parents are made too.
Result<Done> make_folders(const std::string& path);
bool is_folder(const std::string& path);
bool exists(const std::string& path);
/// The folder part of a path that contains a '/'.
std::string parent_of(const std::string& path);

}  // namespace portico::git
