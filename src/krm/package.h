// A package: the files of one folder tree, as bytes. What moves through clone, merge, mutation,
// render and commit.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace portico::krm {

enum class FileMode { kRegular, kExecutable, kSymlink };

/// One file. The bytes are shared and never change, so a copied package costs a map of pointers.
struct File {
  std::shared_ptr<const std::string> bytes;  // never null
  FileMode mode = FileMode::kRegular;

  File() : bytes(std::make_shared<const std::string>()) {}
  explicit File(std::string text, FileMode file_mode = FileMode::kRegular)
      : bytes(std::make_shared<const std::string>(std::move(text))), mode(file_mode) {}

  const std::string& text() const { return *bytes; }
  friend bool operator==(const File& a, const File& b) {
    return a.mode == b.mode && (a.bytes == b.bytes || *a.bytes == *b.bytes);
  }
};

/// Paths are relative to the package root, with '/' between, no leading '/', no "." or "..".
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

}  // namespace portico::krm
