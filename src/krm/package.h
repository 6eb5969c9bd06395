// A package: the files of one folder tree, as bytes. Passed through clone, merge, mutation, render
// and commit.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace portico::krm {

class Object;

enum class FileMode { kRegular, kExecutable, kSymlink };

/// One file. The bytes are shared and immutable, so copying a package costs a map of pointers. The
/// resources are parsed once for all copies, and cached while any of the copies exists.
class File {
 public:
  FileMode mode = FileMode::kRegular;

  File() : File(std::string()) {}
  explicit File(std::string text, FileMode file_mode = FileMode::kRegular)
      : File(std::make_shared<const std::string>(std::move(text)), file_mode) {}

  const std::string& text() const { return *bytes_; }

  /// Object::parse_file of the text. Thread-safe.
  Result<std::vector<Object>> objects() const;
  /// Object::parse of the text: the file's only resource.
  Result<Object> object() const;

  /// A copy that shares only the bytes, not the cached resources: for keeping files for a long
  /// time, or handing on files of other owners.
  File unread() const { return File(bytes_, mode); }

  friend bool operator==(const File& a, const File& b) {
    return a.mode == b.mode && (a.bytes_ == b.bytes_ || *a.bytes_ == *b.bytes_);
  }

 private:
  struct Reading;
  File(std::shared_ptr<const std::string> bytes, FileMode file_mode);

  std::shared_ptr<const std::string> bytes_;  // never null
  std::shared_ptr<const Reading> reading_;
};

/// Paths are relative to the package root, separated by '/', without a leading '/', "." or "..".
struct Package {
  std::map<std::string, File, std::less<>> files;

  const File* find(std::string_view path) const {
    const auto at = files.find(path);
    return at == files.end() ? nullptr : &at->second;
  }
  void set(std::string path, std::string text) {
    const auto at = files.find(path);
    const FileMode mode = at == files.end() ? FileMode::kRegular : at->second.mode;
    files.insert_or_assign(std::move(path), File(std::move(text), mode));
  }
  bool operator==(const Package&) const = default;
};

/// The package with File::unread() applied to every file.
Package unread(const Package& package);

}  // namespace portico::krm
