#include "cli/folder.h"

#include <filesystem>
#include <fstream>

#include "cli/manifests.h"
#include "krm/object.h"

namespace portico::cli {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kLimit = 64u << 20;

}  // namespace

Result<krm::Package> read_folder(const std::string& dir) {
  std::error_code error;
  if (!fs::is_directory(dir, error)) return not_found("no folder \"{}\"", dir);
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
    PORTICO_TRY(std::string text, read_text(at->path().string(), kLimit));
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

}  // namespace portico::cli
