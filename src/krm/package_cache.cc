#include "krm/package_cache.h"

#include <utility>

namespace portico::krm {
namespace {

std::size_t bytes_of(const Package& package) {
  std::size_t bytes = 200;
  for (const auto& [path, file] : package.files) bytes += path.size() + file.text().size() + 150;
  return bytes;
}

}  // namespace

std::shared_ptr<const Package> PackageCache::find(const std::string& name) {
  const auto at = index_.find(name);
  if (at == index_.end()) return nullptr;
  items_.splice(items_.begin(), items_, at->second);
  return at->second->package;
}

void PackageCache::add(const std::string& name, std::shared_ptr<const Package> package) {
  const std::size_t bytes = bytes_of(*package);
  if (bytes > most_ / 4 || index_.contains(name)) return;
  items_.push_front({name, std::move(package), bytes});
  index_[name] = items_.begin();
  have_ += bytes;
  while (have_ > most_) {
    have_ -= items_.back().bytes;
    index_.erase(items_.back().name);
    items_.pop_back();
  }
}

}  // namespace portico::krm
