#include "folder/folder.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <set>

#include "base/absolute_path.h"
#include "folder/internal/dir_handle.h"
#include "folder/internal/update.h"
#include "krm/file_paths.h"

namespace portico::folder {

namespace fs = std::filesystem;

namespace {

bool counts_for_functions(std::string_view name) {
  return name == "Kptfile" || name == ".krmignore" || name.ends_with(".yaml") ||
         name.ends_with(".yml") || name.ends_with(".json");
}

class Reader {
 public:
  Reader(const std::string& dir, Reading reading) : dir_(dir), reading_(reading) {}

  Result<Done> read(const DirHandle& folder, const std::string& prefix, std::size_t depth) {
    if (depth > krm::kDeepestPath)
      return invalid("\"{}\": directories are nested more than {} deep", prefix, krm::kDeepestPath);
    PORTICO_TRY(const auto names, folder.names());
    for (const auto& [name, is_folder] : names) {
      if (name == ".git" || (prefix.empty() && (name == kRevisionMetadata || name == kStaging)))
        continue;
      const std::string path = prefix + name;
      if (is_folder) {
        PORTICO_TRY(const DirHandle below, folder.at(name));
        PORTICO_DO(read(below, path + "/", depth + 1));
        continue;
      }
      const bool bytes = reading_ == Reading::kAll || counts_for_functions(name);
      auto file = folder.read(name, kLimit, bytes);
      if (!file && file.error().code == Code::kInvalid)
        return Error(Code::kInvalid, std::move(file).error().what)
            .in(prefix.empty() ? "." : prefix);
      if (!file) return std::move(file).error();
      bytes_ += file->text().size();
      if (bytes_ > kLimit) return invalid("\"{}\" holds more than {} bytes", dir_, kLimit);
      package.files.emplace(path, std::move(*file));
    }
    return Done{};
  }

  krm::Package package;

 private:
  const std::string& dir_;
  Reading reading_;
  std::size_t bytes_ = 0;
};

// The difference between two packages, checked against the folder's current content.
class Change {
 public:
  Change(const DirHandle& root, const krm::Package& before, const krm::Package& after)
      : root_(root), before_(before), after_(after) {}

  Result<Done> prepare() {
    for (const auto& [path, file] : before_.files)
      if (after_.find(path) == nullptr) gone_.insert(path);
    std::set<std::string> fresh;
    for (const auto& [path, file] : after_.files)
      if (const krm::File* old = before_.find(path); old == nullptr || *old != file)
        fresh.insert(path);
    PORTICO_DO(krm::check_paths(after_, &fresh));
    for (const std::string& path : fresh) {
      const krm::File& file = *after_.find(path);
      const krm::File* old = before_.find(path);
      if (file.mode == krm::FileMode::kSymlink && !krm::leads_inside(path, file.text())) {
        written.links_left_out.push_back(path);
        if (old != nullptr) gone_.insert(path);
        continue;
      }
      PORTICO_DO(check_write(path));
      update.writes.emplace(path, &file);
    }
    for (const std::string& path : gone_) {
      PORTICO_DO(krm::check_path(path, "file"));
      PORTICO_DO(check_unchanged(path));
      update.removals.push_back(path);
    }
    return Done{};
  }

  Update update;
  Written written;

 private:
  Result<Done> check_write(const std::string& path) {
    for (std::size_t slash = path.find('/'); slash != std::string::npos;
         slash = path.find('/', slash + 1)) {
      const std::string above = path.substr(0, slash);
      const auto there = root_.look(above);
      if (!there) break;
      if (S_ISDIR(there->st_mode)) continue;
      if (gone_.contains(above)) break;
      return invalid("\"{}\" passes through {} \"{}\"", path,
                     S_ISLNK(there->st_mode) ? "the symbolic link" : "the file", above);
    }
    const auto there = root_.look(path);
    if (there && S_ISDIR(there->st_mode)) {
      PORTICO_TRY(const DirHandle folder, root_.at(path));
      return check_goes(folder, path);
    }
    if (there && before_.find(path) == nullptr)
      return conflict("\"{}\" already exists and would be overwritten", path);
    return check_unchanged(path);
  }

  // A folder can become a file only if everything in it is removed.
  Result<Done> check_goes(const DirHandle& folder, const std::string& path) {
    PORTICO_TRY(const auto names, folder.names());
    for (const auto& [name, is_folder] : names) {
      const std::string below = path + "/" + name;
      if (is_folder) {
        PORTICO_TRY(const DirHandle next, folder.at(name));
        PORTICO_DO(check_goes(next, below));
      } else if (!gone_.contains(below)) {
        return invalid("cannot replace directory \"{}\" with a file: it contains \"{}\"", path,
                       name);
      }
    }
    return Done{};
  }

  // A user may have edited the file since it was read.
  Result<Done> check_unchanged(const std::string& path) {
    const krm::File* old = before_.find(path);
    if (old == nullptr) return Done{};
    const auto now = root_.read(path, kLimit);
    if (!now && now.error().code == Code::kNotFound) return Done{};
    if (!now && now.error().code != Code::kInvalid) return now.error();
    // A file that was read without its content is compared without it.
    if (now && (now->text() == old->text() || old->text().empty())) return Done{};
    return conflict(
        "\"{}\" was modified since it was read: nothing was written, run the command again", path);
  }

  const DirHandle& root_;
  const krm::Package& before_;
  const krm::Package& after_;
  std::set<std::string> gone_;
};

}  // namespace

Result<krm::Package> read(const std::string& dir, Reading reading) {
  PORTICO_TRY(const DirHandle root, DirHandle::open(dir));
  if (is_staged(root)) PORTICO_DO(take(root));
  Reader reader(dir, reading);
  PORTICO_DO(reader.read(root, "", 0));
  return std::move(reader.package);
}

Result<std::string> read_file(const std::string& dir, const std::string& path) {
  PORTICO_TRY(const DirHandle root, DirHandle::open(dir));
  if (is_staged(root)) PORTICO_DO(take(root));
  PORTICO_TRY(const krm::File file, root.read(path, kLimit));
  if (file.mode == krm::FileMode::kSymlink)
    return invalid("\"{}\" is a symbolic link, and must be a file", path);
  return file.text();
}

Result<Written> change(const std::string& dir, const krm::Package& before,
                       const krm::Package& after) {
  std::error_code error;
  const bool there = fs::exists(dir, error);
  if (!there && before.files.empty()) return create(dir, after);
  PORTICO_TRY(const DirHandle root, DirHandle::open(dir));
  PORTICO_DO(take(root));
  Change change(root, before, after);
  PORTICO_DO(change.prepare());
  if (!change.update.writes.empty() || !change.update.removals.empty())
    PORTICO_DO(carry_out(root, change.update));
  return std::move(change.written);
}

Result<Done> check_absent(const std::string& dir) {
  std::error_code error;
  if (fs::symlink_status(dir, error).type() == fs::file_type::not_found) return Done{};
  return invalid("directory \"{}\" already exists, please delete the directory and retry", dir);
}

Result<Written> create(const std::string& dir, const krm::Package& package) {
  PORTICO_DO(krm::check_paths(package));
  PORTICO_DO(check_absent(dir));
  std::error_code error;
  PORTICO_TRY(const std::string whole, absolute_path(dir));
  const fs::path target = whole;
  // Parent folders created here are removed on failure.
  std::vector<fs::path> made;
  for (fs::path above = target.parent_path();
       !fs::exists(above, error) && above.has_relative_path(); above = above.parent_path())
    made.push_back(above);
  fs::create_directories(target.parent_path(), error);
  if (error)
    return unavailable("cannot create directory \"{}\": {}", target.parent_path().string(),
                       error.message());
  std::string aside = (target.parent_path() / ".portico-new-XXXXXX").string();
  if (::mkdtemp(aside.data()) == nullptr)
    return file_error("create a temporary directory next to", dir, errno);
  const auto write = [&]() -> Result<Written> {
    PORTICO_TRY(const DirHandle root, DirHandle::open(aside));
    Written written;
    for (const auto& [path, file] : package.files) {
      if (file.mode == krm::FileMode::kSymlink && !krm::leads_inside(path, file.text())) {
        written.links_left_out.push_back(path);
        continue;
      }
      PORTICO_DO(root.make_folders_above(path));
      PORTICO_DO(root.write(path, file));
    }
    // mkdtemp's 0700 protects the content while it is written; the final folder gets default
    // permissions.
    const mode_t mask = ::umask(0);
    ::umask(mask);
    if (::fchmod(root.fd(), 0777 & ~mask) != 0) return file_error("write", dir, errno);
    if (::renameat2(AT_FDCWD, aside.c_str(), AT_FDCWD, target.c_str(), RENAME_NOREPLACE) == 0)
      return written;
    if (errno == EEXIST)
      return invalid("directory \"{}\" already exists, please delete the directory and retry", dir);
    // For file systems without the flag: rename replaces at most an empty folder.
    if (errno != EINVAL || ::rename(aside.c_str(), target.c_str()) != 0)
      return file_error("write", dir, errno);
    return written;
  };
  Result<Written> written = write();
  if (written) return written;
  fs::remove_all(aside, error);
  for (const fs::path& above : made)
    if (!fs::remove(above, error)) break;
  return written;
}

}  // namespace portico::folder
