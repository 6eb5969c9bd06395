// Which objects are in a pack, as its index says.
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

/// The file of the pack that an .idx file is of.
std::string pack_of(std::string_view index);

/// An .idx file of version 1 or 2 (gitformat-pack), read into memory: a map of it would end
/// the process where somebody cuts the file off. Immutable.
class PackIndex {
 public:
  /// kNotFound: no such file; kInvalid: it is no index, or is cut off. Its checksum is not looked
  /// at.
  static Result<std::shared_ptr<const PackIndex>> open(const std::string& path);
  /// The same of the file's text.
  static Result<std::shared_ptr<const PackIndex>> parse(std::string text, const std::string& path);
  PackIndex(const PackIndex&) = delete;
  PackIndex& operator=(const PackIndex&) = delete;
  ~PackIndex() = default;

  const std::string& path() const { return path_; }
  /// Of what it was opened from: whether the file and its pack are the same files as then, with as
  /// many bytes.
  bool is_current() const;
  /// Whether the SHA-1 at the end of the file is that of all that comes before. Reads all of it.
  bool is_whole() const;
  /// The SHA-1 that its pack ends with: 20 bytes.
  std::string_view pack_sum() const {
    return std::string_view(text_).substr(text_.size() - 2 * sizeof(Sha1), sizeof(Sha1));
  }
  bool has(const Oid& id) const;
  /// Those whose ids begin with `digits`, at least two hexadecimal ones in lower case.
  std::vector<Oid> find(std::string_view digits) const;

 private:
  PackIndex() = default;
  Result<Done> read_layout();
  /// Where the ids of the first byte begin and end.
  std::pair<std::size_t, std::size_t> range(unsigned char first) const;
  std::string_view id_at(std::size_t i) const {
    return std::string_view(text_).substr(ids_ + i * stride_, sizeof(Sha1));
  }
  /// The first id in the range that is not less.
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
