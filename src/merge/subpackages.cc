#include "merge/subpackages.h"

#include <algorithm>
#include <tuple>

#include "krm/object.h"

namespace portico::merge {
namespace {

/// The nearest folder around `path` that has a Kptfile, below `folder`.
std::string_view owner_of(const krm::Package& package, std::string_view folder,
                          std::string_view path) {
  for (std::size_t slash = path.rfind('/'); slash != std::string_view::npos;
       slash = slash == 0 ? std::string_view::npos : path.rfind('/', slash - 1)) {
    const std::string_view at = path.substr(0, slash);
    if (at.size() <= folder.size()) break;
    if (has_kptfile(package, at)) return at;
  }
  return folder;
}

bool is_remote(const krm::Package& package, std::string_view folder) {
  const auto kptfile = kptfile_of(package, folder);
  return kptfile && has_upstream(*kptfile);
}

bool is_inside_one(const std::vector<std::string>& folders, std::string_view path) {
  return std::any_of(folders.begin(), folders.end(), [path](const std::string& folder) {
    return path != folder && is_below(folder, path);
  });
}

}  // namespace

std::string join_path(std::string_view folder, std::string_view name) {
  if (folder.empty()) return std::string(name);
  if (name.empty()) return std::string(folder);
  return std::string(folder) + "/" + std::string(name);
}

bool is_below(std::string_view folder, std::string_view path) {
  return folder.empty() ||
         (path.starts_with(folder) && path.size() > folder.size() && path[folder.size()] == '/');
}

std::optional<json::Value> kptfile_of(const krm::Package& package, std::string_view folder) {
  const krm::File* file = package.find(join_path(folder, kKptfile));
  if (file == nullptr) return {};
  const auto object = file->object();
  if (!object) return {};
  return object->value();
}

bool has_kptfile(const krm::Package& package, std::string_view folder) {
  return package.find(join_path(folder, kKptfile)) != nullptr;
}

bool has_upstream(const json::Value& kptfile) { return kptfile["upstream"].is_object(); }

bool is_unfetched(const json::Value& kptfile) {
  return has_upstream(kptfile) && !kptfile["upstreamLock"].is_object();
}

std::vector<std::string> subpackages(const krm::Package& package, std::string_view folder) {
  std::vector<std::string> folders;
  const std::string suffix = "/" + std::string(kKptfile);
  for (const auto& [path, file] : package.files) {
    if (!path.ends_with(suffix) || !is_below(folder, path)) continue;
    std::string found = path.substr(0, path.size() - suffix.size());
    if (found != folder) folders.push_back(std::move(found));
  }
  const auto depth = [](const std::string& path) {
    return std::count(path.begin(), path.end(), '/');
  };
  std::sort(folders.begin(), folders.end(), [&depth](const std::string& a, const std::string& b) {
    return std::tuple(depth(a), std::string_view(a)) < std::tuple(depth(b), std::string_view(b));
  });
  return folders;
}

std::vector<std::string> remote_subpackages(const krm::Package& package, std::string_view folder) {
  std::vector<std::string> remote;
  for (std::string& found : subpackages(package, folder))
    if (!is_inside_one(remote, found) && is_remote(package, found))
      remote.push_back(std::move(found));
  return remote;
}

std::vector<std::string> local_subpackages(const krm::Package& package, std::string_view folder) {
  const std::vector<std::string> remote = remote_subpackages(package, folder);
  std::vector<std::string> local;
  for (std::string& found : subpackages(package, folder))
    if (!is_inside_one(remote, found) &&
        std::find(remote.begin(), remote.end(), found) == remote.end())
      local.push_back(std::move(found));
  return local;
}

std::vector<std::string> direct_subpackages(const krm::Package& package, std::string_view folder) {
  std::vector<std::string> direct;
  for (std::string& found : subpackages(package, folder))
    if (!is_inside_one(direct, found)) direct.push_back(std::move(found));
  return direct;
}

krm::Package own_files(const krm::Package& package, std::string_view folder) {
  krm::Package own;
  for (const auto& [path, file] : package.files)
    if (is_below(folder, path) && owner_of(package, folder, path) == folder)
      own.files.emplace(path, file);
  return own;
}

krm::Package all_files(const krm::Package& package, std::string_view folder) {
  krm::Package all;
  for (const auto& [path, file] : package.files)
    if (is_below(folder, path)) all.files.emplace(path, file);
  return all;
}

krm::Package cut_out(const krm::Package& package, std::string_view folder) {
  if (folder.empty()) return package;
  krm::Package cut;
  for (const auto& [path, file] : package.files)
    if (is_below(folder, path)) cut.files.emplace(path.substr(folder.size() + 1), file);
  return cut;
}

}  // namespace portico::merge
