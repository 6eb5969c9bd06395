#include "cli/fn_folder.h"

#include <filesystem>
#include <fstream>

#include "folder/folder.h"
#include "render/report.h"

namespace portico::cli {

namespace fs = std::filesystem;

namespace {

void note_ignored_links(const krm::Package& package, Terminal& terminal) {
  std::size_t count = 0;
  std::string first;
  for (const auto& [path, file] : package.files)
    if (file.mode == krm::FileMode::kSymlink && count++ == 0) first = path;
  if (count == 1) terminal.note(fmt::format("[WARN] the symbolic link \"{}\" is ignored\n", first));
  if (count > 1)
    terminal.note(
        fmt::format("[WARN] {} symbolic links are ignored, the first is \"{}\"\n", count, first));
}

}  // namespace

Result<FnFolder> open_fn_folder(const std::string& dir, Terminal& terminal) {
  std::error_code error;
  FnFolder folder{dir, "", {}};
  const bool resolved = fs::is_symlink(dir, error);
  if (resolved) {
    const fs::path target = fs::canonical(dir, error);
    if (error) return not_found("no folder \"{}\"", dir);
    folder.path = fs::proximate(target, error).generic_string();
    terminal.note(
        fmt::format("[WARN] resolved symlink \"{}\" to \"{}\", please note that the symlinks "
                    "within the package are ignored\n",
                    dir, folder.path));
  }
  if (!fs::exists(folder.path, error)) return not_found("no folder \"{}\"", dir);
  folder.name = fs::canonical(folder.path, error).filename().string();
  PORTICO_TRY(folder.package, folder::read(folder.path, folder::Reading::kResources));
  // kpt's warning about a resolved folder says it already.
  if (!resolved) note_ignored_links(folder.package, terminal);
  return folder;
}

bool is_text_output(std::string_view output) { return output == "stdout" || output == "unwrap"; }

Result<Done> prepare_output(const std::string& output, const std::string& results_dir) {
  if (!output.empty() && !is_text_output(output)) PORTICO_DO(folder::check_absent(output));
  if (results_dir.empty()) return Done{};
  std::error_code error;
  fs::create_directories(results_dir, error);
  if (error) return unavailable("cannot create folder \"{}\": {}", results_dir, error.message());
  return Done{};
}

Result<Done> write_items(const std::string& output, const std::vector<krm::Item>& items,
                         Terminal& terminal, render::HeadComments comments) {
  if (output == "unwrap") {
    terminal.write(render::write_unwrapped(items));
    return Done{};
  }
  if (output == "stdout") {
    PORTICO_TRY(const auto placed, render::with_places(items));
    terminal.write(render::write_stream(placed, std::nullopt, comments));
    return Done{};
  }
  PORTICO_TRY(const krm::Package package, render::sink(items));
  PORTICO_DO(folder::create(output, package));
  return Done{};
}

Result<Done> write_results(const std::string& results_dir, const render::Rendered& rendered,
                           Terminal& terminal) {
  if (results_dir.empty()) return Done{};
  const std::string path = (fs::path(results_dir) / "results.yaml").string();
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out << render::result_list(rendered);
  if (!out.flush()) return unavailable("cannot write \"{}\"", path);
  terminal.note(fmt::format("For complete results, see {}\n", path));
  return Done{};
}

}  // namespace portico::cli
