#include "render/internal/tree.h"

#include <algorithm>

#include "render/internal/ignore.h"
#include "render/internal/paths.h"

namespace portico::render {

namespace {

// Maximum nesting of subpackages, which are read recursively.
constexpr std::size_t kMaxDepth = 64;

bool is_in_git_folder(std::string_view path) {
  return path.starts_with(".git/") || path.find("/.git/") != std::string_view::npos;
}

class Reader {
 public:
  explicit Reader(const krm::Package& package) : package_(package) {
    for (const auto& [path, file] : package.files) {
      if (file.mode == krm::FileMode::kSymlink || is_in_git_folder(path)) continue;
      if (base_of(path) == "Kptfile") folders_.emplace(folder_of(path));
      if (base_of(path) == ".krmignore") ignored_.emplace(folder_of(path), file.text());
      if (is_resource_file(path)) files_.push_back(path);
    }
    std::sort(files_.begin(), files_.end(), walk_before);
  }

  Result<Node> read(const std::string& folder, const std::string& name, std::size_t depth) {
    if (depth > kMaxDepth)
      return invalid("package \"{}\": more than {} packages inside each other", name, kMaxDepth);
    const std::string kptfile_path = join_path(folder, "Kptfile");
    const krm::File* file = package_.find(kptfile_path);
    if (file == nullptr || file->mode == krm::FileMode::kSymlink)
      return not_found("no Kptfile in package \"{}\"", name);
    PORTICO_TRY(Kptfile kptfile, read_kptfile(*file), kptfile_path);
    Node node{folder, name, std::move(kptfile), {}, {}};
    const std::vector<std::string> subfolders = direct_subfolders(folder);
    PORTICO_TRY(node.items, read_items(folder, subfolders));
    for (const std::string& sub : subfolders) {
      const std::string sub_name =
          fmt::format("{}/{}", name, folder.empty() ? sub : sub.substr(folder.size() + 1));
      PORTICO_TRY(Node child, read(sub, sub_name, depth + 1));
      node.children.push_back(std::move(child));
    }
    return node;
  }

  /// The resources of `folder`, without those in `subfolders`.
  Result<std::vector<krm::Item>> read_items(const std::string& folder,
                                            const std::vector<std::string>& subfolders) {
    std::vector<krm::Item> items;
    for (const std::string& path : files_) {
      if (!is_below(path, folder)) continue;
      const bool elsewhere =
          std::any_of(subfolders.begin(), subfolders.end(),
                      [&](const std::string& sub) { return is_below(path, sub); });
      if (elsewhere || is_ignored(path, folder)) continue;
      const std::string own = folder.empty() ? path : path.substr(folder.size() + 1);
      PORTICO_TRY(auto objects, package_.find(path)->objects(), path);
      for (std::size_t i = 0; i < objects.size(); ++i)
        items.push_back({objects[i], own, static_cast<int>(i), folder, -1});
      originals.emplace(path, std::move(objects));
    }
    return items;
  }

  Originals originals;

 private:
  /// The outermost folders with a Kptfile below `folder`. A folder sorts before its descendants.
  std::vector<std::string> direct_subfolders(std::string_view folder) const {
    std::vector<std::string> result;
    for (const std::string& one : folders_) {
      if (one == folder || !is_below(one, folder)) continue;
      const bool inside = std::any_of(result.begin(), result.end(), [&](const std::string& other) {
        return is_below(one, other);
      });
      if (!inside) result.push_back(one);
    }
    return result;
  }

  /// Checks the .krmignore files of all folders from `folder` down to the file's.
  bool is_ignored(std::string_view path, std::string_view folder) const {
    return std::any_of(ignored_.begin(), ignored_.end(), [&](const auto& entry) {
      const std::string& at = entry.first;
      if (!is_below(at, folder) || !is_below(path, at)) return false;
      return entry.second.ignores(at.empty() ? path : path.substr(at.size() + 1));
    });
  }

  const krm::Package& package_;
  std::set<std::string> folders_;              // that contain a Kptfile
  std::vector<std::string> files_;             // that contain resources, in walk order
  std::map<std::string, IgnoreList> ignored_;  // by folder
};

}  // namespace

Result<Tree> read_tree(const krm::Package& package, const std::string& package_name) {
  Reader reader(package);
  PORTICO_TRY(Node root, reader.read("", package_name, 0));
  return Tree{std::move(root), std::move(reader.originals)};
}

Result<Resources> read_all(const krm::Package& package) {
  Reader reader(package);
  PORTICO_TRY(std::vector<krm::Item> items, reader.read_items("", {}));
  return Resources{std::move(items), std::move(reader.originals)};
}

}  // namespace portico::render
