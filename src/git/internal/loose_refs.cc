#include "git/internal/loose_refs.h"

#include <dirent.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <memory>

#include "git/internal/file.h"
#include "git/ref_name.h"

namespace portico::git {
namespace {

constexpr int kMostFolders = 64;  // deep enough for any ref whose name a path can hold

struct CloseFolder {
  void operator()(DIR* folder) const { ::closedir(folder); }
};

Result<Done> walk(const std::string& folder, const std::string& below, int depth,
                  std::vector<LooseRef>& out,
                  const std::function<void(const std::string&)>& lock_file) {
  if (depth > kMostFolders) return Done{};
  const std::string path = folder + "/" + below;
  const std::unique_ptr<DIR, CloseFolder> open(::opendir(path.c_str()));
  if (!open) {
    // Removed meanwhile; RefReader::snapshot() checks whether the whole repository is gone.
    if (errno == ENOENT || errno == ENOTDIR) return Done{};
    return file_error("list", path, errno);
  }
  while (const dirent* entry = ::readdir(open.get())) {
    const std::string_view base = entry->d_name;
    if (base == "." || base == "..") continue;
    const std::string name = below + "/" + std::string(base);
    bool folder_here = entry->d_type == DT_DIR;
    if (entry->d_type == DT_UNKNOWN || entry->d_type == DT_LNK)
      folder_here = is_folder(folder + "/" + name);
    if (folder_here) {
      PORTICO_DO(walk(folder, name, depth + 1, out, lock_file));
    } else if (base.ends_with(".lock")) {
      if (lock_file) lock_file(name);
    } else if (check_ref_name(name)) {
      auto ref = read_loose_ref(folder, name);
      if (ref && *ref) out.push_back(std::move(**ref));
    }
  }
  return Done{};
}

}  // namespace

Result<std::optional<LooseRef>> read_loose_ref(const std::string& folder, const std::string& name) {
  const std::string path = folder + "/" + name;
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) return std::optional<LooseRef>{};
    return file_error("stat", path, errno);
  }
  if (S_ISDIR(info.st_mode)) return std::optional<LooseRef>{};
  auto text = read_whole(path, 4096);
  if (!text && text.error().code == Code::kNotFound) return std::optional<LooseRef>{};
  if (!text) return std::move(text).error();
  std::string_view value = *text;
  while (!value.empty() && (value.back() == '\n' || value.back() == ' ')) value.remove_suffix(1);
  LooseRef ref{name, {}, ""};
  if (value.starts_with("ref:")) {
    value.remove_prefix(4);
    while (value.starts_with(' ')) value.remove_prefix(1);
    ref.target = std::string(value);
    return std::optional<LooseRef>(std::move(ref));
  }
  PORTICO_TRY(ref.id, parse_oid(value.substr(0, 40)), name);
  return std::optional<LooseRef>(std::move(ref));
}

Result<std::vector<LooseRef>> list_loose_refs(
    const std::string& folder, const std::function<void(const std::string&)>& lock_file) {
  std::vector<LooseRef> out;
  PORTICO_DO(walk(folder, "refs", 0, out, lock_file));
  std::sort(out.begin(), out.end(),
            [](const LooseRef& a, const LooseRef& b) { return a.name < b.name; });
  return out;
}

}  // namespace portico::git
