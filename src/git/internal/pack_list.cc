#include "git/internal/pack_list.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>

#include "git/internal/file.h"

namespace portico::git {
namespace {

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
  for (const std::string& folder : folders_)
    for (Index& found : indexes_in(folder + "/pack")) {
      Known known;
      if (const auto before = then.files.find(found.seen); before != then.files.end())
        known = before->second;
      auto index = known.index.lock();
      if (index == nullptr)
        if (auto opened = PackIndex::open(found.path))
          // Its checksum stays as it was.
          if (known.whole || (*opened)->is_whole()) index = *std::move(opened);
      known = {index != nullptr, index};
      if (index != nullptr)
        list.indexes.push_back(std::move(index));
      else
        list.damaged = std::move(found.path);
      now.files.emplace(std::move(found.seen), std::move(known));
    }
  now.last = then.last != nullptr && *then.last == list
                 ? then.last
                 : std::make_shared<const PackList>(std::move(list));
  const auto out = now.last;
  state_.with([&](State& state) { state = std::move(now); });
  return out;
}

}  // namespace portico::git
