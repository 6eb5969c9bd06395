#include "git/internal/pack_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <openssl/evp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>

#include "git/internal/file.h"
#include "git/internal/ref_transaction.h"

namespace portico::git {
namespace {

constexpr std::string_view kOldKeepMark = "portico: refs follow\n";

class Sha1Stream {
 public:
  Sha1Stream() : context_(EVP_MD_CTX_new()) { EVP_DigestInit_ex(context_, EVP_sha1(), nullptr); }
  ~Sha1Stream() { EVP_MD_CTX_free(context_); }
  Sha1Stream(const Sha1Stream&) = delete;
  Sha1Stream& operator=(const Sha1Stream&) = delete;

  void add(std::string_view bytes) { EVP_DigestUpdate(context_, bytes.data(), bytes.size()); }
  Oid finish() {
    Oid id;
    EVP_DigestFinal_ex(context_, id.bytes.data(), nullptr);
    return id;
  }

 private:
  EVP_MD_CTX* context_;
};

// A file that is removed again unless it is put in place.
class NewFile {
 public:
  static Result<NewFile> create(const std::string& stem) {
    std::string path = stem + "XXXXXX";
    Fd fd(::mkostemp(path.data(), O_CLOEXEC));
    if (!fd) return file_error("make", path, errno);
    return NewFile(std::move(fd), std::move(path));
  }
  NewFile(NewFile&& other) noexcept
      : fd_(std::move(other.fd_)),
        path_(std::exchange(other.path_, {})),
        buffer_(std::move(other.buffer_)) {}
  NewFile& operator=(NewFile&&) = delete;
  ~NewFile() {
    if (!path_.empty()) ::unlink(path_.c_str());
  }

  Result<Done> append(std::string_view bytes) {
    sha_.add(bytes);
    return append_unhashed(bytes);
  }
  // Appends the checksum of everything appended so far.
  Result<Oid> seal() {
    const Oid sum = sha_.finish();
    PORTICO_DO(append_unhashed(
        std::string_view(reinterpret_cast<const char*>(sum.bytes.data()), sum.bytes.size())));
    PORTICO_DO(flush());
    if (::fchmod(fd_.get(), 0444) != 0) return file_error("protect", path_, errno);
    PORTICO_DO(sync_file(fd_, path_));
    return sum;
  }
  Result<Done> put(const std::string& path) {
    PORTICO_DO(rename_file(path_, path));
    path_.clear();
    return Done{};
  }

 private:
  NewFile(Fd fd, std::string path) : fd_(std::move(fd)), path_(std::move(path)) {}

  Result<Done> append_unhashed(std::string_view bytes) {
    buffer_ += bytes;
    return buffer_.size() < (std::size_t{1} << 20) ? Done{} : flush();
  }
  Result<Done> flush() {
    PORTICO_DO(write_all(fd_, buffer_, path_));
    buffer_.clear();
    return Done{};
  }

  Fd fd_;
  std::string path_;
  std::string buffer_;
  Sha1Stream sha_;
};

void append_number(std::string& out, std::uint64_t value, int bytes) {
  for (int shift = (bytes - 1) * 8; shift >= 0; shift -= 8)
    out += static_cast<char>(value >> shift & 0xff);
}

std::string_view bytes_of(const Oid& id) {
  return {reinterpret_cast<const char*>(id.bytes.data()), id.bytes.size()};
}

struct Placed {
  const StagedObject* object;
  std::uint64_t offset;
};

// The index without its own checksum: fan-out, ids, checksums, offsets, checksum of the pack.
std::string index_text(std::vector<Placed> placed, const Oid& pack_sum) {
  std::sort(placed.begin(), placed.end(),
            [](const Placed& a, const Placed& b) { return a.object->id < b.object->id; });
  std::string out("\377tOc\0\0\0\2", 8);
  std::size_t at = 0;
  for (unsigned first = 0; first < 256; ++first) {
    while (at < placed.size() && placed[at].object->id.bytes[0] <= first) ++at;
    append_number(out, at, 4);
  }
  for (const Placed& one : placed) out += bytes_of(one.object->id);
  for (const Placed& one : placed) append_number(out, one.object->crc, 4);
  std::string large;
  for (const Placed& one : placed) {
    if (one.offset < (std::uint64_t{1} << 31)) {
      append_number(out, one.offset, 4);
    } else {
      append_number(out, std::uint64_t{1} << 31 | large.size() / 8, 4);
      append_number(large, one.offset, 8);
    }
  }
  out += large;
  out += bytes_of(pack_sum);
  return out;
}

struct CloseFolder {
  void operator()(DIR* folder) const { ::closedir(folder); }
};

template <class F>
void for_each_name(const std::string& folder, F&& f) {
  const std::unique_ptr<DIR, CloseFolder> open(::opendir(folder.c_str()));
  if (!open) return;
  while (const dirent* entry = ::readdir(open.get())) f(std::string_view(entry->d_name));
}

}  // namespace

void StoredPack::release() {
  if (!keep_.empty()) ::unlink(keep_.c_str());
  keep_.clear();
}

Result<StoredPack> store_pack(const std::string& objects_folder, const Staging& objects) {
  if (objects.empty()) return StoredPack();
  const std::string folder = objects_folder + "/pack";
  PORTICO_DO(make_folders(folder));

  PORTICO_TRY(NewFile pack, NewFile::create(folder + "/tmp_portico_pack_"));
  std::string head = "PACK";
  append_number(head, 2, 4);
  append_number(head, objects.objects().size(), 4);
  PORTICO_DO(pack.append(head));
  std::vector<Placed> placed;
  placed.reserve(objects.objects().size());
  std::uint64_t offset = head.size();
  for (const auto& object : objects.objects()) {
    placed.push_back({object.get(), offset});
    PORTICO_DO(pack.append(object->packed));
    offset += object->packed.size();
  }
  PORTICO_TRY(const Oid sum, pack.seal());

  PORTICO_TRY(NewFile index, NewFile::create(folder + "/tmp_portico_idx_"));
  PORTICO_DO(index.append(index_text(std::move(placed), sum)));
  PORTICO_TRY([[maybe_unused]] const Oid index_sum, index.seal());

  // The .keep file tells a concurrent `git repack` to leave the pack alone although no ref leads to
  // it yet. The index comes last: it makes the pack visible.
  const std::string stem = folder + "/pack-" + sum.hex();
  const std::string keep = stem + ".keep";
  if (!make_marked_file(parent_of(objects_folder), keep) && errno != EEXIST)
    return file_error("make", keep, errno);
  StoredPack stored(keep);
  PORTICO_DO(pack.put(stem + ".pack"));
  PORTICO_DO(index.put(stem + ".idx"));
  PORTICO_DO(sync_folder(folder));
  return stored;
}

void clean_packs(const std::string& objects_folder, bool mirror) {
  const std::string folder = objects_folder + "/pack";
  std::vector<std::string> stale;
  for_each_name(folder, [&](std::string_view name) {
    const std::string path = folder + "/" + std::string(name);
    // git repack names a new pack ".tmp-" until it replaces the old packs.
    if (name.starts_with("tmp_portico_") ||
        (mirror && (name.starts_with("tmp_") || name.starts_with(".tmp-"))))
      stale.push_back(path);
    if (!name.ends_with(".keep")) return;
    if (const auto text = read_whole(path, 4096);
        text && (*text == kOurMark || *text == kOldKeepMark))
      stale.push_back(path);
  });
  for (const std::string& path : stale) ::unlink(path.c_str());
}

std::size_t count_packs(const std::string& objects_folder) {
  std::size_t count = 0;
  for_each_name(objects_folder + "/pack",
                [&](std::string_view name) { count += name.ends_with(".idx"); });
  return count;
}

}  // namespace portico::git
