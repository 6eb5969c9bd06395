#include "cli/folder.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <vector>

#include "cli/manifests.h"
#include "krm/object.h"

namespace portico::cli {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kLimit = 64u << 20;

bool counts_for_functions(const fs::path& file) {
  const std::string name = file.filename().string();
  return name == "Kptfile" || name == ".krmignore" || name.ends_with(".yaml") ||
         name.ends_with(".yml") || name.ends_with(".json");
}

}  // namespace

Result<krm::Package> read_folder(const std::string& dir, Reading reading) {
  std::error_code error;
  if (!fs::is_directory(dir, error))
    return not_found("no folder \"{}\": no such file or directory", dir);
  krm::Package package;
  std::size_t bytes = 0;
  for (fs::recursive_directory_iterator at(dir, error), end; !error && at != end;
       at.increment(error)) {
    const std::string path = fs::relative(at->path(), dir).generic_string();
    if (at->is_directory() && !at->is_symlink()) {
      if (at->path().filename() == ".git") at.disable_recursion_pending();
      continue;
    }
    if (path == kRevisionMetadata) continue;
    if (at->is_symlink()) {
      package.files.insert_or_assign(
          path, krm::File(fs::read_symlink(at->path()).string(), krm::FileMode::kSymlink));
      continue;
    }
    if (!at->is_regular_file()) return invalid("\"{}\" is neither a file nor a folder", path);
    std::string text;
    if (reading == Reading::kAll || counts_for_functions(at->path())) {
      PORTICO_TRY(text, read_text(at->path().string(), kLimit));
    }
    bytes += text.size();
    if (bytes > kLimit) return invalid("\"{}\" holds more than {} bytes", dir, kLimit);
    const bool executable = (at->status().permissions() & fs::perms::owner_exec) != fs::perms::none;
    package.files.insert_or_assign(
        path, krm::File(std::move(text),
                        executable ? krm::FileMode::kExecutable : krm::FileMode::kRegular));
  }
  if (error) return unavailable("cannot read folder \"{}\": {}", dir, error.message());
  return package;
}

namespace {

/// Nothing on the way from `dir` to a file may lead out of it.
Result<Done> check_way(const fs::path& dir, const std::string& path) {
  fs::path at = dir;
  const fs::path relative(path);
  for (auto part = relative.begin(); part != relative.end(); ++part) {
    if (*part == ".." || part->is_absolute() || *part == ".git")
      return invalid("\"{}\" is no path that a package may hold", path);
    if (part == relative.begin()) {
      at /= *part;
      continue;
    }
    if (fs::is_symlink(fs::symlink_status(at)))
      return invalid("\"{}\" leads through the symbolic link \"{}\"", path, at.string());
    at /= *part;
  }
  return Done{};
}

/// The content of `file` under a name of its own, with the permissions that `target` has.
Result<Done> write_aside(const fs::path& aside, const fs::path& target, const krm::File& file) {
  std::error_code error;
  if (file.mode == krm::FileMode::kSymlink) {
    fs::create_symlink(file.text(), aside, error);
    if (error) return unavailable("cannot write \"{}\": {}", target.string(), error.message());
    return Done{};
  }
  std::ofstream out(aside, std::ios::binary | std::ios::trunc);
  out << file.text();
  if (!out.flush()) return unavailable("cannot write \"{}\"", target.string());
  constexpr fs::perms kExecute =
      fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec;
  const fs::file_status there = fs::symlink_status(target, error);
  if (fs::is_regular_file(there)) fs::permissions(aside, there.permissions(), error);
  fs::permissions(
      aside, kExecute,
      file.mode == krm::FileMode::kExecutable ? fs::perm_options::add : fs::perm_options::remove,
      error);
  return Done{};
}

void remove_empty_folders(const fs::path& dir, fs::path folder) {
  std::error_code error;
  while (folder != dir && fs::is_empty(folder, error) && !error && fs::remove(folder, error))
    folder = folder.parent_path();
}

}  // namespace

Result<Done> change_folder(const std::string& dir, const krm::Package& before,
                           const krm::Package& after) {
  const fs::path root(dir);
  std::vector<std::string> changed, gone;
  for (const auto& [path, file] : after.files) {
    const krm::File* old = before.find(path);
    if (old == nullptr || !(*old == file)) changed.push_back(path);
  }
  for (const auto& [path, file] : before.files)
    if (after.find(path) == nullptr) gone.push_back(path);
  if (changed.empty() && gone.empty()) return Done{};
  for (const auto* paths : {&changed, &gone})
    for (const std::string& path : *paths) PORTICO_DO(check_way(root, path));

  std::error_code error;
  fs::create_directories(root, error);
  if (error) return unavailable("cannot make folder \"{}\": {}", dir, error.message());
  // Beside the files, so that a rename is all that is left to do.
  const fs::path aside = root / fmt::format(".portico-{}", ::getpid());
  const auto clean_up = [&](Result<Done> result) {
    fs::remove_all(aside, error);
    return result;
  };
  if (!changed.empty() && !fs::create_directory(aside, error))
    return unavailable("cannot write to \"{}\": {}", dir, error.message());
  for (std::size_t i = 0; i < changed.size(); ++i)
    if (auto done =
            write_aside(aside / std::to_string(i), root / changed[i], *after.find(changed[i]));
        !done)
      return clean_up(std::move(done));
  for (const std::string& path : gone) {
    fs::remove(root / path, error);
    if (error) return clean_up(unavailable("cannot remove \"{}\": {}", path, error.message()));
    remove_empty_folders(root, (root / path).parent_path());
  }
  for (std::size_t i = 0; i < changed.size(); ++i) {
    const fs::path target = root / changed[i];
    fs::create_directories(target.parent_path(), error);
    if (!error) fs::rename(aside / std::to_string(i), target, error);
    if (error)
      return clean_up(unavailable("cannot write \"{}\": {}", target.string(), error.message()));
  }
  return clean_up(Done{});
}

Result<std::optional<FolderMetadata>> read_metadata(const std::string& dir) {
  const fs::path file = fs::path(dir) / kRevisionMetadata;
  if (!fs::exists(file)) return std::optional<FolderMetadata>();
  PORTICO_TRY(const std::string text, read_text(file.string(), kLimit));
  PORTICO_TRY(const krm::Object object, krm::Object::parse(text), file.string());
  const json::Value& metadata = object.value()["metadata"];
  return std::optional(FolderMetadata{std::string(metadata["name"].as_string()),
                                      std::string(metadata["namespace"].as_string()),
                                      std::string(metadata["resourceVersion"].as_string())});
}

Result<Done> write_folder(const std::string& dir, const krm::Package& package,
                          const FolderMetadata& metadata) {
  std::error_code error;
  PORTICO_TRY(const auto pulled, read_metadata(dir));
  fs::create_directories(dir, error);
  if (error) return unavailable("cannot make folder \"{}\": {}", dir, error.message());
  if (pulled) {
    PORTICO_TRY(const krm::Package before, read_folder(dir));
    for (const auto& [path, file] : before.files)
      if (!package.files.contains(path)) fs::remove(fs::path(dir) / path, error);
  }
  const auto write = [&](const std::string& path, const krm::File& file) -> Result<Done> {
    const fs::path target = fs::path(dir) / path;
    fs::create_directories(target.parent_path(), error);
    if (file.mode == krm::FileMode::kSymlink) {
      fs::remove(target, error);
      fs::create_symlink(file.text(), target, error);
    } else {
      std::ofstream out(target, std::ios::binary | std::ios::trunc);
      out << file.text();
      if (!out.flush()) return unavailable("cannot write \"{}\"", target.string());
      if (file.mode == krm::FileMode::kExecutable)
        fs::permissions(target,
                        fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                        fs::perm_options::add, error);
    }
    if (error) return unavailable("cannot write \"{}\": {}", target.string(), error.message());
    return Done{};
  };
  for (const auto& [path, file] : package.files) PORTICO_DO(write(path, file));
  const json::Value object = json::Value::object(
      {{"apiVersion", "kpt.dev/v1"},
       {"kind", "KptRevisionMetadata"},
       {"metadata", json::Value::object({{"name", metadata.name},
                                         {"namespace", metadata.ns},
                                         {"resourceVersion", metadata.resource_version}})}});
  return write(kRevisionMetadata, krm::File(krm::Object::from_value(object).text()));
}

Result<Done> check_new_folder(const std::string& dir) {
  std::error_code error;
  if (fs::symlink_status(dir, error).type() == fs::file_type::not_found) return Done{};
  return invalid("directory \"{}\" already exists, please delete the directory and retry", dir);
}

Result<Done> write_new_folder(const std::string& dir, const krm::Package& package) {
  PORTICO_DO(check_new_folder(dir));
  std::error_code error;
  fs::create_directories(dir, error);
  if (error) return unavailable("cannot make folder \"{}\": {}", dir, error.message());
  return change_folder(dir, {}, package);
}

}  // namespace portico::cli
