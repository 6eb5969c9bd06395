#include "git/internal/pack_list.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "git/internal/file.h"

namespace portico::git {
namespace {

// A truncated or different pack does not end with the checksum in its index.
bool has_its_pack(const PackIndex& index) {
  const std::string_view sum = index.pack_sum();
  const auto file = open_file(pack_of(index.path()), O_RDONLY);
  if (!file) return false;
  std::string end(sum.size(), '\0');
  const off_t size = ::lseek(file->get(), 0, SEEK_END);
  const auto length = static_cast<ssize_t>(end.size());
  return size >= length && ::pread(file->get(), end.data(), end.size(), size - length) == length &&
         end == sum;
}

struct Index {
  std::string path;
  std::string seen;  // the path, with stat data of the index and its pack
};

std::string told_apart(const struct stat& file) {
  return fmt::format(" {} {} {} {} {}", file.st_dev, file.st_ino, file.st_size, file.st_mtim.tv_sec,
                     file.st_mtim.tv_nsec);
}

std::vector<Index> indexes_in(const std::string& folder) {
  std::vector<Index> out;
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error)) {
    const std::string path = at->path().string();
    struct stat index {};
    struct stat pack {};
    if (!path.ends_with(".idx") || ::stat(pack_of(path).c_str(), &pack) != 0 ||
        ::stat(path.c_str(), &index) != 0)
      continue;
    out.push_back({path, path + told_apart(index) + told_apart(pack)});
  }
  std::sort(out.begin(), out.end(), [](const Index& a, const Index& b) { return a.path < b.path; });
  return out;
}

}  // namespace

bool PackList::has(const Oid& id) const {
  return std::any_of(indexes.begin(), indexes.end(),
                     [&](const auto& index) { return index->has(id); });
}

std::shared_ptr<const PackList> PackLister::known() {
  auto last = state_.with([](const State& state) { return state.last; });
  return last != nullptr ? last : look();
}

void PackLister::rest() {
  state_.with([](State& state) { state.last = nullptr; });
}

std::shared_ptr<const PackList> PackLister::look() {
  State then = state_.with([](const State& state) { return state; });
  State now;
  PackList list;
  std::vector<std::string> damaged;  // newly found to be damaged
  for (const std::string& folder : folders_)
    for (Index& found : indexes_in(folder + "/pack")) {
      Known known;
      const auto before = then.files.find(found.seen);
      const bool is_new = before == then.files.end();
      if (!is_new) known = before->second;
      auto index = known.index.lock();
      // The checksums were verified before and still hold.
      if (index == nullptr && (is_new || known.whole))
        if (auto opened = PackIndex::open(found.path))
          if (known.whole || ((*opened)->is_whole() && has_its_pack(**opened)))
            index = *std::move(opened);
      known = {index != nullptr, index};
      // A repack may have removed it just now.
      if (index == nullptr && is_new && exists(found.path) && exists(pack_of(found.path)))
        damaged.push_back(found.path);
      if (index != nullptr)
        list.indexes.push_back(std::move(index));
      else
        list.damaged = std::move(found.path);
      now.files.emplace(std::move(found.seen), std::move(known));
    }
  now.last = then.last != nullptr && *then.last == list
                 ? then.last
                 : std::make_shared<const PackList>(std::move(list));
  auto out = now.last;
  state_.with([&](State& state) { state = std::move(now); });
  for (const std::string& index : damaged)
    if (on_damage_) on_damage_(index);
  return out;
}

}  // namespace portico::git
