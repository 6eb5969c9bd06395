#include "repo/internal/trees.h"

#include <algorithm>
#include <set>
#include <vector>

#include "repo/names.h"

namespace portico::repo {
namespace {

using git::ObjectType;
using git::Oid;
using git::TreeEntry;

constexpr int kDeepestTree = 64;

class Loader {
 public:
  Loader(const git::ObjectDb& objects, const Limits& limits, const krm::WantedPath& wanted)
      : objects_(objects), limits_(limits), wanted_(wanted) {}

  Result<Done> load(const Oid& tree, const std::string& prefix, int depth) {
    if (depth > kDeepestTree)
      return invalid("directories are nested more than {} deep", kDeepestTree);
    PORTICO_TRY(const std::string bytes, objects_.read(tree, ObjectType::kTree));
    PORTICO_TRY(const std::vector<TreeEntry> entries, git::parse_tree(bytes));
    std::set<std::string_view> names;
    for (const TreeEntry& entry : entries) {
      if (!names.insert(entry.name).second)
        return invalid("duplicate entry {:?} in git tree {}", prefix + entry.name, tree.hex());
      const std::string path = prefix + entry.name;
      if (entry.is_tree()) {
        PORTICO_DO(load(entry.id, path + "/", depth + 1));
        continue;
      }
      if (wanted_ && !wanted_(path)) continue;
      PORTICO_DO(load_file(entry, path), path);
    }
    return Done{};
  }

  krm::Package package;

 private:
  Result<Done> load_file(const TreeEntry& entry, const std::string& path) {
    const bool symlink = entry.mode == git::kModeSymlink;
    if (!entry.is_file() && !symlink)
      return invalid("is a git submodule, which a package cannot contain");
    if (package.files.size() >= limits_.files)
      return invalid("the package has more than {} files", limits_.files);
    PORTICO_TRY(std::string bytes, objects_.read(entry.id, ObjectType::kBlob, limits_.file_bytes));
    bytes_ += bytes.size();
    if (bytes_ > limits_.package_bytes)
      return invalid("the package has more than {} bytes", limits_.package_bytes);
    krm::FileMode mode = krm::FileMode::kRegular;
    if (symlink) mode = krm::FileMode::kSymlink;
    if (entry.is_file() && (entry.mode & 0100) != 0) mode = krm::FileMode::kExecutable;
    package.files.emplace(path, krm::File(std::move(bytes), mode));
    return Done{};
  }

  const git::ObjectDb& objects_;
  const Limits& limits_;
  const krm::WantedPath& wanted_;
  std::size_t bytes_ = 0;
};

std::uint32_t mode_of(const krm::File& file) {
  switch (file.mode) {
    case krm::FileMode::kExecutable:
      return git::kModeExecutable;
    case krm::FileMode::kSymlink:
      return git::kModeSymlink;
    case krm::FileMode::kRegular:
      break;
  }
  return git::kModeFile;
}

using FileAt = std::map<std::string, krm::File, std::less<>>::const_iterator;

class Stager {
 public:
  Stager(const git::ObjectDb& objects, git::Staging& staging)
      : objects_(objects), staging_(staging) {}

  // Stages the tree of the files whose paths start with `prefix` (a folder with its '/', or ""),
  // beginning at `at`; leaves `at` after the last of them.
  Result<Oid> stage(FileAt& at, FileAt end, const std::string& prefix) {
    std::vector<TreeEntry> entries;
    while (at != end && at->first.starts_with(prefix)) {
      const std::string_view rest = std::string_view(at->first).substr(prefix.size());
      const std::size_t slash = rest.find('/');
      if (slash == std::string_view::npos) {
        entries.push_back(
            {mode_of(at->second), std::string(rest), add(ObjectType::kBlob, at->second.text())});
        ++at;
        continue;
      }
      const std::string name(rest.substr(0, slash));
      PORTICO_TRY(const Oid tree, stage(at, end, prefix + name + "/"));
      entries.push_back({git::kModeTree, name, tree});
    }
    // "a", "a-b" and "a/c" sort in this order, so equal names need not be adjacent.
    std::vector<std::string_view> names;
    for (const TreeEntry& entry : entries) names.push_back(entry.name);
    std::sort(names.begin(), names.end());
    if (const auto twice = std::adjacent_find(names.begin(), names.end()); twice != names.end())
      return invalid("{:?} is both a file and a directory", prefix + std::string(*twice));
    return add(ObjectType::kTree, git::encode_tree(std::move(entries)));
  }

 private:
  Oid add(ObjectType type, std::string_view bytes) {
    const Oid id = git::object_id(type, bytes);
    if (!objects_.has(id)) staging_.add(id, type, bytes);
    return id;
  }

  const git::ObjectDb& objects_;
  git::Staging& staging_;
};

}  // namespace

Result<krm::Package> load_package(const git::ObjectDb& objects, const Oid& tree,
                                  const Limits& limits, const krm::WantedPath& wanted) {
  Loader loader(objects, limits, wanted);
  PORTICO_DO(loader.load(tree, "", 0));
  return std::move(loader.package);
}

Result<Oid> stage_package(const krm::Package& package, const git::ObjectDb& objects,
                          git::Staging& staging, const Limits& limits) {
  const krm::File* kptfile = package.find("Kptfile");
  if (!kptfile || kptfile->mode == krm::FileMode::kSymlink)
    return invalid("the package has no file 'Kptfile' at its root");
  if (package.files.size() > limits.files)
    return invalid("the package has {} files, more than {}", package.files.size(), limits.files);
  std::size_t bytes = 0;
  for (const auto& [path, file] : package.files) {
    PORTICO_DO(check_file_path(path));
    if (file.text().size() > limits.file_bytes)
      return invalid("{:?} has {} bytes, more than {}", path, file.text().size(),
                     limits.file_bytes);
    bytes += file.text().size();
  }
  if (bytes > limits.package_bytes)
    return invalid("the package has {} bytes, more than {}", bytes, limits.package_bytes);
  FileAt at = package.files.begin();
  return Stager(objects, staging).stage(at, package.files.end(), "");
}

Result<Oid> with_subtree(const git::ReadObject& read, const AddObject& add, const Oid& root,
                         std::string_view path, const Oid& tree) {
  std::vector<TreeEntry> entries;
  if (!root.is_zero()) {
    PORTICO_TRY(const git::Object object, read(root));
    if (object.type != ObjectType::kTree)
      return invalid("git object {} is a {}, not a tree", root.hex(), git::name(object.type));
    PORTICO_TRY(entries, git::parse_tree(object.bytes), root.hex());
  }
  const std::size_t slash = path.find('/');
  const std::string_view name = path.substr(0, slash);
  const auto have = std::find_if(entries.begin(), entries.end(),
                                 [name](const TreeEntry& entry) { return entry.name == name; });
  if (have != entries.end() && !have->is_tree()) return invalid("{:?} is not a directory", name);
  Oid child = tree;
  if (slash != std::string_view::npos) {
    if (have == entries.end() && tree.is_zero()) return root;
    PORTICO_TRY(child,
                with_subtree(read, add, have == entries.end() ? Oid{} : have->id,
                             path.substr(slash + 1), tree),
                std::string(name));
    if (child == git::object_id(ObjectType::kTree, "")) child = {};
  }
  if (have != entries.end() && have->id == child) return root;
  if (child.is_zero()) {
    if (have == entries.end()) return root;
    entries.erase(have);
  } else if (have != entries.end()) {
    have->id = child;
  } else {
    entries.push_back({git::kModeTree, std::string(name), child});
  }
  return add(ObjectType::kTree, git::encode_tree(std::move(entries)));
}

Result<bool> is_package(const git::ReadObject& read, const Oid& tree) {
  PORTICO_TRY(const git::Object object, read(tree));
  if (object.type != ObjectType::kTree) return false;
  const auto kptfile = git::find_in_tree(object.bytes, "Kptfile");
  if (!kptfile && kptfile.error().code != Code::kNotFound) return kptfile.error().in(tree.hex());
  return kptfile && kptfile->is_file();
}

}  // namespace portico::repo
