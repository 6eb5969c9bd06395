#include "git/internal/pack_index.h"

#include <sys/stat.h>

#include <cstdint>
#include <cstring>
#include <utility>

#include "git/internal/file.h"

namespace portico::git {
namespace {

constexpr std::size_t kFanOut = 256 * 4, kId = sizeof(Sha1), kEnd = 2 * kId;
constexpr std::string_view kVersion2("\377tOc\0\0\0\2", 8);

std::size_t number_at(std::string_view text, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(text[at + i]);
  return value;
}

}  // namespace

std::string pack_of(std::string_view index) {
  return std::string(index.substr(0, index.size() - 4)) + ".pack";
}

Result<std::shared_ptr<const PackIndex>> PackIndex::open(const std::string& path) {
  const std::shared_ptr<PackIndex> index(new PackIndex);
  // Taken before reading, so that is_current() detects changes made meanwhile.
  index->index_ = look_at(path);
  index->pack_ = look_at(pack_of(path));
  PORTICO_TRY(index->text_, read_whole(path));
  index->path_ = path;
  PORTICO_DO(index->read_layout());
  return std::shared_ptr<const PackIndex>(index);
}

Result<std::shared_ptr<const PackIndex>> PackIndex::parse(std::string text,
                                                          const std::string& path) {
  const std::shared_ptr<PackIndex> index(new PackIndex);
  index->path_ = path;
  index->text_ = std::move(text);
  PORTICO_DO(index->read_layout());
  return std::shared_ptr<const PackIndex>(index);
}

PackIndex::File PackIndex::look_at(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return {};
  return {info.st_dev, info.st_ino, static_cast<std::uint64_t>(info.st_size)};
}

bool PackIndex::is_current() const {
  return look_at(path_) == index_ && look_at(pack_of(path_)) == pack_;
}

Result<Done> PackIndex::read_layout() {
  const bool newer = text_.starts_with(kVersion2);
  fan_out_ = newer ? kVersion2.size() : 0;
  const std::size_t table = fan_out_ + kFanOut;
  // Version 1 stores the pack offset before each id; version 2 stores checksums and offsets in
  // separate tables after the ids.
  ids_ = newer ? table : table + 4;
  stride_ = newer ? kId : 4 + kId;
  const std::size_t each = newer ? kId + 4 + 4 : stride_;
  if (text_.size() < table + kEnd)
    return invalid("{:?} is not a valid pack index: it is truncated", path_);
  count_ = number_at(text_, table - 4);
  if ((text_.size() - table - kEnd) / each < count_)
    return invalid("{:?} is not a valid pack index: it is truncated", path_);
  std::size_t before = 0;
  for (std::size_t first = 0; first < 256; ++first) {
    const std::size_t here = number_at(text_, fan_out_ + 4 * first);
    if (here < before || here > count_)
      return invalid("{:?} is not a valid pack index: its fan-out table is not monotonic", path_);
    before = here;
  }
  return Done{};
}

bool PackIndex::is_whole() const {
  const Sha1 sum = sha1(std::string_view(text_).substr(0, text_.size() - kId));
  return std::memcmp(sum.data(), text_.data() + text_.size() - kId, kId) == 0;
}

std::pair<std::size_t, std::size_t> PackIndex::range(unsigned char first) const {
  return {first == 0 ? 0 : number_at(text_, fan_out_ + 4 * (first - 1)),
          number_at(text_, fan_out_ + 4 * first)};
}

std::size_t PackIndex::lower_bound(std::size_t begin, std::size_t end, std::string_view id) const {
  while (begin < end) {
    const std::size_t middle = begin + (end - begin) / 2;
    if (id_at(middle) < id)
      begin = middle + 1;
    else
      end = middle;
  }
  return begin;
}

bool PackIndex::has(const Oid& id) const {
  const auto [begin, end] = range(id.bytes[0]);
  const std::string_view bytes(reinterpret_cast<const char*>(id.bytes.data()), kId);
  const std::size_t at = lower_bound(begin, end, bytes);
  return at < end && id_at(at) == bytes;
}

std::vector<Oid> PackIndex::find(std::string_view digits) const {
  std::vector<Oid> out;
  const auto least = parse_oid(std::string(digits) + std::string(2 * kId - digits.size(), '0'));
  if (!least) return out;
  const auto [begin, end] = range(least->bytes[0]);
  const std::string_view bytes(reinterpret_cast<const char*>(least->bytes.data()), kId);
  for (std::size_t at = lower_bound(begin, end, bytes); at < end; ++at) {
    const Oid id = oid_from_bytes(id_at(at).data());
    if (!id.hex().starts_with(digits)) break;
    out.push_back(id);
  }
  return out;
}

}  // namespace portico::git
