#include "cli/pull_metadata.h"

#include <vector>

#include "base/hash.h"
#include "krm/object.h"

namespace portico::cli {
namespace {

constexpr std::size_t kShown = 5;  // paths in a message

std::string metadata_text(const krm::Package& package, const PullMetadata& pulled) {
  std::vector<json::Member> files;
  for (const auto& [path, file] : package.files) files.push_back({path, sha256_hex(file.text())});
  return krm::Object::from_value(
             json::Value::object(
                 {{"apiVersion", "kpt.dev/v1"},
                  {"kind", "KptRevisionMetadata"},
                  {"metadata", json::Value::object({{"name", pulled.name},
                                                    {"namespace", pulled.ns},
                                                    {"resourceVersion", pulled.resource_version}})},
                  {"files", json::Value::object(std::move(files))}}))
      .text();
}

// Paths of edited files whose content is not the same in the package.
std::vector<std::string> edits(const krm::Package& there, const krm::Package& package,
                               const std::map<std::string, std::string>& written) {
  std::vector<std::string> out;
  for (const auto& [path, file] : there.files) {
    const auto at = written.find(path);
    if (at != written.end() && at->second == sha256_hex(file.text())) continue;
    if (const krm::File* wanted = package.find(path); wanted == nullptr || !(*wanted == file))
      out.push_back(path);
  }
  for (const auto& [path, hash] : written)
    if (there.find(path) == nullptr && package.find(path) != nullptr &&
        package.find(path)->mode != krm::FileMode::kSymlink)
      out.push_back(path + " (removed)");
  return out;
}

std::string listed(const std::vector<std::string>& paths) {
  std::string out;
  for (std::size_t i = 0; i < paths.size() && i < kShown; ++i)
    out += (i == 0 ? "" : ", ") + paths[i];
  if (paths.size() > kShown) out += fmt::format(" and {} more", paths.size() - kShown);
  return out;
}

}  // namespace

bool is_as_pulled(const krm::Package& package, const PullMetadata& pulled) {
  std::map<std::string, std::string> files;
  for (const auto& [path, file] : package.files) files.emplace(path, sha256_hex(file.text()));
  return files == pulled.files;
}

Result<std::optional<PullMetadata>> read_pulled(const std::string& dir) {
  const auto text = folder::read_file(dir, folder::kRevisionMetadata);
  if (!text && text.error().code == Code::kNotFound) return std::optional<PullMetadata>();
  if (!text) return text.error();
  const std::string place = dir + "/" + folder::kRevisionMetadata;
  PORTICO_TRY(const krm::Object object, krm::Object::parse(*text), place);
  const json::Value& metadata = object.value()["metadata"];
  PullMetadata out{std::string(metadata["name"].as_string()),
                   std::string(metadata["namespace"].as_string()),
                   std::string(metadata["resourceVersion"].as_string()),
                   {}};
  for (const json::Member& one : object.value()["files"].members())
    out.files.emplace(one.name(), one.value.as_string());
  return std::optional(std::move(out));
}

Result<folder::Written> update_pulled(const std::string& dir, krm::Package before,
                                      const krm::Package& package, const PullMetadata& pulled) {
  krm::Package after = package;
  after.set(folder::kRevisionMetadata, metadata_text(package, pulled));
  if (auto old = folder::read_file(dir, folder::kRevisionMetadata))
    before.set(folder::kRevisionMetadata, std::move(*old));
  return folder::change(dir, before, after);
}

Result<folder::Written> write_pulled(const std::string& dir, const krm::Package& package,
                                     const PullMetadata& pulled, bool force) {
  PORTICO_TRY(const auto had, read_pulled(dir));
  auto there = folder::read(dir);
  if (!there && there.error().code != Code::kNotFound) return std::move(there).error();
  krm::Package before = there ? std::move(*there) : krm::Package();
  const std::vector<std::string> mine =
      edits(before, package, had ? had->files : std::map<std::string, std::string>());
  if (!mine.empty() && !force && had)
    return invalid(
        "\"{}\" has edits that are not in {}: {}; push them, or use --force to discard them", dir,
        pulled.name, listed(mine));
  if (!mine.empty() && !force)
    return invalid(
        "\"{}\" was not pulled and contains other files: {}; use a new folder, or --force to "
        "overwrite files with the same name",
        dir, listed(mine));
  if (!had)
    std::erase_if(before.files,
                  [&](const auto& one) { return package.find(one.first) == nullptr; });
  return update_pulled(dir, std::move(before), package, pulled);
}

void note_links(const folder::Written& written, Terminal& terminal) {
  for (const std::string& path : written.links_left_out)
    terminal.note(fmt::format(
        "[WARN] \"{}\" is a symbolic link that points outside the package: it was not written\n",
        path));
}

}  // namespace portico::cli
