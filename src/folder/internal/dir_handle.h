// File operations below an open folder that never follow a symbolic link out of it.
#pragma once

#include <sys/stat.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "krm/package.h"

namespace portico::folder {

/// An open folder; paths are relative to it, separated by '/'. Each part of a path is opened
/// relative to the one before it and must be a real folder (O_NOFOLLOW), so that concurrent changes
/// cannot lead out of it. Functions return kInvalid if a folder in the path is a symbolic link or a
/// file, kNotFound if it or the file to read is missing, and kUnavailable for all other file system
/// errors.
class DirHandle {
 public:
  /// `path` itself may contain links: the user chose it. kNotFound if it is missing or a file.
  static Result<DirHandle> open(const std::string& path);
  /// The folder `path` below this one.
  Result<DirHandle> at(const std::string& path) const;

  /// The path as the user wrote it.
  const std::string& name() const { return name_; }
  int fd() const { return fd_.get(); }

  struct Name {
    std::string name;
    bool is_folder = false;
  };
  /// All entries but "." and "..", sorted.
  Result<std::vector<Name>> names() const;

  /// lstat; nullopt if there is nothing, or if a folder above it is missing or not a folder.
  std::optional<struct stat> look(const std::string& path) const;

  /// Reads the file, or the link itself. kInvalid for special files and for more than `limit`
  /// bytes. Never blocks on a FIFO or a device. Without `bytes`, only the mode is read.
  Result<krm::File> read(const std::string& path, std::size_t limit, bool bytes = true) const;

  /// Creates a file or link; kUnavailable if the path exists. `permissions` as for chmod; without
  /// them the umask decides.
  Result<Done> write(const std::string& path, const krm::File& file,
                     std::optional<mode_t> permissions = std::nullopt) const;

  Result<Done> make_folder(const std::string& path) const;
  /// Creates every missing folder above `path`.
  Result<Done> make_folders_above(const std::string& path) const;
  /// Replaces an existing file, but never a folder.
  Result<Done> rename(const std::string& from, const std::string& to) const;
  /// Removes a file or link; no-op if there is none.
  Result<Done> remove(const std::string& path) const;
  /// Removes empty folders above `path`, innermost first.
  void remove_empty_above(const std::string& path) const;
  /// Removes the folder `path` with its content; links are removed, their targets stay.
  void remove_all(const std::string& path) const;

 private:
  DirHandle(Fd fd, std::string name) : fd_(std::move(fd)), name_(std::move(name)) {}

  struct Place {
    Fd above;          // set only if it is not this folder
    int fd = -1;       // of the folder that contains the leaf
    std::string leaf;  // the last part
  };
  Result<Place> place(const std::string& path, bool make = false) const;
  std::string shown(const std::string& path) const;

  Fd fd_;
  std::string name_;
};

}  // namespace portico::folder
