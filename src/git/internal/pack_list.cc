#include "git/internal/pack_list.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "base/hash.h"
#include "git/internal/file.h"

namespace portico::git {
namespace {

// gitformat-pack: an index ends with the SHA-1 of all that comes before.
bool is_whole_index(const std::string& path) {
  const auto text = read_whole(path);
  constexpr std::size_t kSum = sizeof(Sha1);
  if (!text || text->size() < kSum) return false;
  const Sha1 sum = sha1(std::string_view(*text).substr(0, text->size() - kSum));
  return std::memcmp(sum.data(), text->data() + text->size() - kSum, kSum) == 0;
}

struct Index {
  std::string path;
  std::string seen;  // the path and what tells this file from another of its name
};

std::vector<Index> indexes_in(const std::string& folder) {
  std::vector<Index> out;
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error)) {
    const std::string path = at->path().string();
    struct stat info {};
    if (!path.ends_with(".idx") || !exists(path.substr(0, path.size() - 4) + ".pack") ||
        ::stat(path.c_str(), &info) != 0)
      continue;
    out.push_back({path, fmt::format("{} {} {} {} {} {}", path, info.st_dev, info.st_ino,
                                     info.st_size, info.st_mtim.tv_sec, info.st_mtim.tv_nsec)});
  }
  std::sort(out.begin(), out.end(), [](const Index& a, const Index& b) { return a.path < b.path; });
  return out;
}

}  // namespace

std::shared_ptr<const PackList> PackLister::look() {
  State then = state_.with([](const State& state) { return state; });
  State now;
  PackList list;
  for (const std::string& folder : folders_)
    for (Index& index : indexes_in(folder + "/pack")) {
      const auto known = then.whole.find(index.seen);
      const bool whole = known == then.whole.end() ? is_whole_index(index.path) : known->second;
      if (whole)
        list.indexes.push_back(std::move(index.path));
      else
        list.damaged = std::move(index.path);
      now.whole.emplace(std::move(index.seen), whole);
    }
  now.last = then.last != nullptr && *then.last == list
                 ? then.last
                 : std::make_shared<const PackList>(std::move(list));
  const auto out = now.last;
  state_.with([&](State& state) { state = std::move(now); });
  return out;
}

}  // namespace portico::git
