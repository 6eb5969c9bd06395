// The index of a pack: which objects the pack contains.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "git/oid.h"

namespace portico::git {

/// The path of the pack that belongs to an .idx file.
std::string pack_of(std::string_view index);

/// An .idx file of version 1 or 2 (gitformat-pack), read into memory: with mmap, the process would
/// crash if another process truncated the file. Immutable.
class PackIndex {
 public:
  /// kNotFound: no such file; kInvalid: not an index, or truncated. The checksum is not verified.
  static Result<std::shared_ptr<const PackIndex>> open(const std::string& path);
  /// The same, from the file's content.
  static Result<std::shared_ptr<const PackIndex>> parse(std::string text, const std::string& path);
  PackIndex(const PackIndex&) = delete;
  PackIndex& operator=(const PackIndex&) = delete;
  ~PackIndex() = default;

  const std::string& path() const { return path_; }
  /// Whether the index and its pack are still the same files as at open(), with the same sizes.
  bool is_current() const;
  /// Whether the SHA-1 at the end of the file matches the content before it. Reads the whole file.
  bool is_whole() const;
  /// The SHA-1 at the end of the index's pack: 20 bytes.
  std::string_view pack_sum() const {
    return std::string_view(text_).substr(text_.size() - 2 * sizeof(Sha1), sizeof(Sha1));
  }
  bool has(const Oid& id) const;
  /// The ids that begin with `digits`, at least two lower-case hexadecimal digits.
  std::vector<Oid> find(std::string_view digits) const;

 private:
  PackIndex() = default;
  Result<Done> read_layout();
  /// The range of ids with this first byte.
  std::pair<std::size_t, std::size_t> range(unsigned char first) const;
  std::string_view id_at(std::size_t i) const {
    return std::string_view(text_).substr(ids_ + i * stride_, sizeof(Sha1));
  }
  /// The first id in the range that is not less than `id`.
  std::size_t lower_bound(std::size_t begin, std::size_t end, std::string_view id) const;

  std::string path_;
  std::string text_;  // the whole file
  struct File {
    std::uint64_t device = 0, inode = 0, size = 0;
    bool operator==(const File&) const = default;
  };
  static File look_at(const std::string& path);
  File index_, pack_;
  std::size_t fan_out_ = 0, ids_ = 0, stride_ = 0, count_ = 0;
};

}  // namespace portico::git
