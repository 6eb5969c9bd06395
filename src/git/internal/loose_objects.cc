#include "git/internal/loose_objects.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>

#include "git/internal/file.h"

namespace portico::git {
namespace {

constexpr std::size_t kMostHeader = 32;  // "commit " and a number, with room to spare
// Deflate expands a byte to at most this many, so a larger size in the header is false and no
// memory is reserved for it.
constexpr std::size_t kMostOfAByte = 1032;
constexpr int kMostAlternates = 5;  // length of a chain, as in git

std::string path_of(const std::string& objects_folder, const Oid& id) {
  const std::string hex = id.hex();
  return objects_folder + "/" + hex.substr(0, 2) + "/" + hex.substr(2);
}

class Inflate {
 public:
  explicit Inflate(std::string_view input) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(input.data()));
    stream_.avail_in = static_cast<uInt>(input.size());
    ready_ = inflateInit(&stream_) == Z_OK;
  }
  Inflate(const Inflate&) = delete;
  Inflate& operator=(const Inflate&) = delete;
  ~Inflate() {
    if (ready_) inflateEnd(&stream_);
  }

  /// Fills `to` from `at` on, as far as the input goes; returns where it stopped.
  std::size_t read(std::string& to, std::size_t at) {
    if (!ready_) return at;
    stream_.next_out = reinterpret_cast<Bytef*>(to.data()) + at;
    stream_.avail_out = static_cast<uInt>(to.size() - at);
    while (stream_.avail_out > 0 && status_ == Z_OK) status_ = inflate(&stream_, Z_NO_FLUSH);
    return to.size() - stream_.avail_out;
  }
  /// Whether the stream ends here, with a valid checksum and no bytes after it.
  bool ends() {
    std::string none(1, '\0');
    return read(none, 0) == 0 && status_ == Z_STREAM_END && stream_.avail_in == 0;
  }

 private:
  z_stream stream_{};
  bool ready_ = false;
  int status_ = Z_OK;
};

std::optional<ObjectType> type_called(std::string_view text) {
  for (const ObjectType type :
       {ObjectType::kCommit, ObjectType::kTree, ObjectType::kBlob, ObjectType::kTag})
    if (text == name(type)) return type;
  return std::nullopt;
}

Error damaged(const Oid& id, std::string_view why) {
  return internal("git object {} cannot be read: {}", id.hex(), why);
}

bool is_hex(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

void add_folders(std::vector<std::string>& to, const std::string& folder, int depth) {
  if (std::find(to.begin(), to.end(), folder) != to.end()) return;
  to.push_back(folder);
  const auto text = read_whole(folder + "/info/alternates", 1u << 20);
  if (!text || depth == 0) return;
  std::string_view rest = *text;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string line(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.empty() || line.front() == '#') continue;
    const std::filesystem::path path =
        (std::filesystem::path(folder) / line).lexically_normal();  // absolute paths stay absolute
    if (is_folder(path.string())) add_folders(to, path.string(), depth - 1);
  }
}

}  // namespace

Result<Object> parse_loose_object(std::string_view file, const Oid& id, std::size_t limit) {
  Inflate stream(file);
  std::string head(kMostHeader, '\0');
  head.resize(stream.read(head, 0));
  const std::size_t end = head.find('\0'), blank = head.find(' ');
  if (end == std::string::npos || blank > end) return damaged(id, "invalid object header");
  const auto type = type_called(std::string_view(head).substr(0, blank));
  std::size_t size = 0;
  const char* const last = head.data() + end;
  const auto number = std::from_chars(head.data() + blank + 1, last, size);
  if (!type || number.ec != std::errc() || number.ptr != last)
    return damaged(id, "invalid object header");
  if (size > limit)
    return invalid("git object {} has {} bytes, more than {}", id.hex(), size, limit);
  if (size / kMostOfAByte > file.size()) return damaged(id, "its file is truncated");

  Object out{*type, head.substr(end + 1)};
  const std::size_t have = out.bytes.size();
  if (have > size) return damaged(id, "it is longer than its header says");
  out.bytes.resize(size);
  if (stream.read(out.bytes, have) != size || !stream.ends())
    return damaged(id, "its file is truncated or corrupt");
  if (object_id(out.type, out.bytes) != id)
    return damaged(id, "hash mismatch: its content does not match its id");
  return out;
}

Result<std::optional<Object>> read_loose_object(const std::string& objects_folder, const Oid& id,
                                                std::size_t limit) {
  constexpr std::size_t kMostFile = std::size_t{1} << 31;
  const auto file = read_whole(path_of(objects_folder, id), kMostFile);
  if (!file && file.error().code == Code::kNotFound) return std::optional<Object>{};
  if (!file) return damaged(id, file.error().text());
  PORTICO_TRY(Object object, parse_loose_object(*file, id, limit));
  return std::optional<Object>(std::move(object));
}

bool has_loose_object(const std::string& objects_folder, const Oid& id) {
  return exists(path_of(objects_folder, id));
}

std::vector<Oid> find_loose_objects(const std::string& objects_folder, std::string_view digits) {
  std::vector<Oid> out;
  const std::string first(digits.substr(0, 2)), rest(digits.substr(2));
  std::error_code error;
  for (std::filesystem::directory_iterator at(objects_folder + "/" + first, error), end;
       !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (!name.starts_with(rest) || !is_hex(name)) continue;
    if (const auto id = parse_oid(first + name)) out.push_back(*id);
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<std::string> objects_folders(const std::string& objects_folder) {
  std::vector<std::string> out;
  add_folders(out, objects_folder, kMostAlternates);
  return out;
}

}  // namespace portico::git
