// File operations below one open folder that no symbolic link can lead astray.
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

/// A folder that was opened once; paths are relative to it, with '/' between. Each part of a path
/// is opened below the one before it and must be a real folder (O_NOFOLLOW), so that what others
/// do meanwhile cannot lead out of it. kInvalid where a part is a symbolic link or a file,
/// kNotFound where it is not there, kUnavailable for everything else that the disk says.
class Beneath {
 public:
  /// `path` itself may be reached through links: it is the user's word.
  static Result<Beneath> open(const std::string& path);
  /// The folder `path` below this one.
  Result<Beneath> at(const std::string& path) const;

  /// What the user called it.
  const std::string& name() const { return name_; }
  int fd() const { return fd_.get(); }

  struct Name {
    std::string name;
    bool is_folder = false;
  };
  /// All but "." and "..", sorted.
  Result<std::vector<Name>> names() const;

  /// lstat; nullopt where there is nothing, or where a part above it is no folder.
  std::optional<struct stat> look(const std::string& path) const;

  /// The file or link itself. kInvalid for special files and beyond `limit` bytes. A FIFO or a
  /// device holds nothing up.
  Result<krm::File> read(const std::string& path, std::size_t limit, bool bytes = true) const;

  /// A new file or link; kUnavailable where there is something. `permissions` as in chmod; without
  /// them those of any new file.
  Result<Done> write(const std::string& path, const krm::File& file,
                     std::optional<mode_t> permissions = std::nullopt) const;

  Result<Done> make_folder(const std::string& path) const;
  /// Every folder above `path` that is not there.
  Result<Done> make_folders_above(const std::string& path) const;
  /// Over a file that is there; never over a folder.
  Result<Done> rename(const std::string& from, const std::string& to) const;
  /// A file or link; fine where there is none.
  Result<Done> remove(const std::string& path) const;
  /// The folders above `path` that are empty, innermost first.
  void remove_empty_above(const std::string& path) const;
  /// The folder `path` with all that is in it; links go, what they lead to stays.
  void remove_all(const std::string& path) const;

 private:
  Beneath(Fd fd, std::string name) : fd_(std::move(fd)), name_(std::move(name)) {}

  struct Place {
    Fd above;          // open only where it is not this folder
    int fd = -1;       // of the folder above
    std::string leaf;  // the last part
  };
  Result<Place> place(const std::string& path, bool make = false) const;
  std::string shown(const std::string& path) const;

  Fd fd_;
  std::string name_;
};

}  // namespace portico::folder
