#include <filesystem>

#include "base/absolute_path.h"
#include "cli/commands.h"
#include "cli/conflicts.h"
#include "cli/fetcher.h"
#include "cli/pull_metadata.h"
#include "krm/diff.h"
#include "krm/object.h"
#include "merge/subpackages.h"
#include "package/init.h"
#include "repo/package_url.h"

namespace portico::cli {
namespace {

namespace fs = std::filesystem;

/// A package on disk, as named by DIR[@VERSION] and --to.
struct Target {
  std::string dir, version;
  std::string name;  // of the folder
};

Result<Target> find_target(const std::string& argument, const std::string& to) {
  Target target{argument, to, ""};
  std::error_code error;
  if (const std::size_t at = argument.find('@');
      !fs::exists(argument, error) && at != argument.npos) {
    if (!to.empty()) return invalid("\"{}\" and --to both specify a version", argument);
    target.dir = at == 0 ? "." : argument.substr(0, at);
    target.version = argument.substr(at + 1);
    if (target.version.empty()) return invalid("\"{}\": the version is missing", argument);
  }
  if (!fs::is_directory(target.dir, error))
    return not_found("no folder \"{}\": no such file or directory", target.dir);
  const fs::path whole = fs::canonical(target.dir, error);
  if (error) return unavailable("cannot read \"{}\": {}", target.dir, error.message());
  target.dir = whole.string();
  target.name = whole.filename().string();
  return target;
}

std::string version_text(const std::string& ref, const std::string& commit) {
  return ref.empty() ? commit.substr(0, 8) : fmt::format("{} ({})", ref, commit.substr(0, 8));
}

/// "web/db" for the subpackage "db" of the package "web".
std::string label(const std::string& name, const std::string& folder) {
  return folder.empty() ? name : name + "/" + folder;
}

void print_steps(const std::string& name, const std::vector<package::Step>& steps,
                 Context& context) {
  for (const package::Step& step : steps) {
    const std::string to = version_text(step.to_ref, step.to_commit);
    if (step.from_commit.empty())
      context.terminal.print("Package \"{}\": fetched {}\n", label(name, step.folder), to);
    else if (step.from_commit == step.to_commit)
      context.terminal.print("Package \"{}\": is at {}\n", label(name, step.folder), to);
    else
      context.terminal.print("Package \"{}\": {} -> {}, strategy \"{}\"\n",
                             label(name, step.folder),
                             version_text(step.from_ref, step.from_commit), to, step.strategy);
  }
}

/// kpt's rule: if the folder exists, the package becomes a new folder in it.
Result<fs::path> destination(const std::string& dir, const krm::GitLocation& from) {
  std::error_code error;
  fs::path path(dir);
  if (fs::exists(path, error)) {
    if (!fs::is_directory(path, error)) return invalid("\"{}\" is not a folder", dir);
    const std::string last =
        fs::path(from.repo + "/" + from.directory).lexically_normal().generic_string();
    std::string_view name = last;
    while (name.ends_with('/')) name.remove_suffix(1);
    path /= name.substr(name.find_last_of("/:") + 1);
    if (fs::exists(path, error)) return invalid("\"{}\" already exists", path.string());
    return path;
  }
  PORTICO_TRY(const std::string whole, absolute_path(dir));
  const fs::path parent = fs::path(whole).parent_path();
  if (!fs::is_directory(parent, error))
    return not_found("no folder \"{}\" to create the package in", parent.string());
  return path;
}

class Differ {
 public:
  Differ(const Target& target, const krm::Package& ours, const std::string& type, Fetcher& fetcher)
      : target_(target), ours_(ours), type_(type), fetcher_(fetcher) {}

  /// The differences of the package at `folder`, with paths relative to the root.
  Result<std::string> diff(const std::string& folder, bool use_version) {
    krm::Package local = merge::cut_out(ours_, folder);
    const std::vector<std::string> elsewhere = merge::remote_subpackages(local, "");
    const auto cut_others = [&elsewhere](krm::Package& package) {
      for (const std::string& other : elsewhere)
        std::erase_if(package.files,
                      [&](const auto& entry) { return merge::is_below(other, entry.first); });
    };
    cut_others(local);
    const krm::File* file = local.find(merge::kKptfile);
    if (file == nullptr) return invalid("no Kptfile in \"{}\"", target_.dir);
    PORTICO_TRY(const krm::Object object, file->object(), std::string(merge::kKptfile));
    PORTICO_TRY(const krm::Kptfile kptfile, krm::Kptfile::decode(object),
                std::string(merge::kKptfile));
    if (!kptfile.upstream || !kptfile.upstream_lock)
      return invalid("package \"{}\" was not fetched: its Kptfile has no upstreamLock",
                     label(target_.name, folder));

    krm::GitLocation wanted = kptfile.upstream->git;
    if (use_version && !target_.version.empty()) wanted.ref = target_.version;
    const auto version = [&](const krm::GitLocation& where) -> Result<krm::Package> {
      PORTICO_TRY(package::Fetched fetched, fetcher_.read(where));
      cut_others(fetched.package);
      return package::as_fetched(std::move(fetched.package), local);
    };
    std::string out;
    if (type_ == "combined") {
      PORTICO_TRY(const krm::Package theirs, version(wanted));
      return shown(theirs, local, folder);
    }
    PORTICO_TRY(const krm::Package base, version(kptfile.upstream_lock->git));
    if (type_ == "local") return shown(base, local, folder);
    PORTICO_TRY(const krm::Package theirs, version(wanted));
    std::string remote = shown(base, theirs, folder);
    if (type_ == "remote") return remote;
    const std::string here = shown(base, local, folder);
    if (!remote.empty()) out += "# changed upstream\n" + remote;
    if (!here.empty()) out += "# changed here\n" + here;
    return out;
  }

 private:
  static std::string shown(const krm::Package& before, const krm::Package& after,
                           const std::string& folder) {
    const auto placed = [&folder](const krm::Package& package) {
      krm::Package out;
      for (const auto& [path, file] : package.files)
        out.files.emplace(merge::join_path(folder, path), file);
      return out;
    };
    return krm::diff_packages(placed(before), placed(after));
  }

  const Target& target_;
  const krm::Package& ours_;
  const std::string type_;
  Fetcher& fetcher_;
};

}  // namespace

Result<Exit> run_pkg_init(const PkgInitOptions& options, Context& context) {
  std::error_code error;
  PORTICO_TRY(const std::string whole, absolute_path(options.dir));
  const fs::path dir = fs::weakly_canonical(whole, error);
  if (!fs::is_directory(dir, error))
    return not_found("no folder \"{}\": create it first", options.dir);
  api::InitTask task;
  task.description = options.description;
  task.site = options.site;
  task.keywords = options.keywords;
  PORTICO_TRY(const krm::Package fresh, package::init(dir.filename().string(), task));
  // Existing files stay.
  krm::Package missing;
  for (const auto& [path, file] : fresh.files)
    if (!fs::exists(fs::symlink_status(dir / path, error))) missing.set(path, file.text());
  PORTICO_DO(folder::change(dir.string(), {}, missing));
  for (const auto& [path, file] : missing.files) context.terminal.print("writing {}\n", path);
  return 0;
}

Result<Exit> run_pkg_get(const PkgGetOptions& options, Context& context) {
  Fetcher fetcher(context);
  PORTICO_TRY(krm::GitLocation from, repo::parse_package_url(options.url));
  PORTICO_TRY(from.repo, fetcher.take_login(from.repo));
  PORTICO_TRY(const fs::path dir, destination(options.dir, from));
  package::GetRequest request;
  request.from = from;
  PORTICO_TRY(request.strategy, merge::parse_strategy(options.strategy));
  PORTICO_TRY(const std::string whole, absolute_path(dir.string()));
  request.name = fs::path(whole).filename().string();
  request.for_deployment = options.for_deployment;
  request.fetch = fetcher.fetch();
  PORTICO_TRY(const package::Updated got, package::get(request));
  PORTICO_TRY(const folder::Written written, folder::create(dir.string(), got.merged.package));
  note_links(written, context.terminal);
  print_steps(request.name, got.steps, context);
  context.terminal.print("\nFetched {} package(s).\n", got.steps.size());
  return 0;
}

Result<Exit> run_pkg_update(const PkgUpdateOptions& options, Context& context) {
  PORTICO_TRY(const Target target, find_target(options.package, options.to));
  Fetcher fetcher(context);
  package::UpdateRequest request;
  PORTICO_TRY(request.ours, folder::read(target.dir));
  request.ref = target.version;
  request.name = target.name;
  if (!options.strategy.empty()) {
    PORTICO_TRY(request.strategy, merge::parse_strategy(options.strategy));
  }
  PORTICO_TRY(const merge::OnConflict on_conflict, merge::parse_on_conflict(options.on_conflict));
  // If conflicts stop the update, all of them are collected first, to be shown together.
  if (on_conflict == merge::OnConflict::kLocal) request.on_conflict = on_conflict;
  request.fetch = fetcher.fetch();
  PORTICO_TRY(const package::Updated updated, package::update(request));
  const std::vector<merge::Conflict>& conflicts = updated.merged.conflicts;

  if (on_conflict == merge::OnConflict::kFail && !conflicts.empty()) {
    context.terminal.write(conflict_table(conflicts, false));
    return invalid("{} {} between the local package and upstream; nothing was changed",
                   conflicts.size(), conflicts.size() == 1 ? "conflict" : "conflicts");
  }
  if (options.dry_run) {
    context.terminal.write(terminal::paint_diff(
        context.terminal, krm::diff_packages(request.ours, updated.merged.package)));
  } else {
    PORTICO_TRY(const folder::Written written,
                folder::change(target.dir, request.ours, updated.merged.package));
    note_links(written, context.terminal);
  }
  print_steps(target.name, updated.steps, context);
  if (!conflicts.empty()) context.terminal.print("\n{}", conflict_table(conflicts));
  context.terminal.print(
      "\n{} {} package(s){}.\n", options.dry_run ? "Would update" : "Updated", updated.steps.size(),
      conflicts.empty() ? "" : fmt::format(", {} conflict(s)", conflicts.size()));
  return 0;
}

Result<Exit> run_pkg_diff(const PkgDiffOptions& options, Context& context) {
  PORTICO_TRY(const Target target, find_target(options.package, options.to));
  PORTICO_TRY(const krm::Package ours, folder::read(target.dir));
  std::string type = options.type;
  if (type.empty()) type = target.version.empty() ? "local" : "combined";
  Fetcher fetcher(context);
  Differ differ(target, ours, type, fetcher);
  std::string diff;
  std::vector<std::string> pending = {""};
  while (!pending.empty()) {
    const std::string folder = std::move(pending.back());
    pending.pop_back();
    const auto kptfile = merge::kptfile_of(ours, folder);
    if (folder.empty() || !kptfile || !merge::is_unfetched(*kptfile)) {
      PORTICO_TRY(const std::string own, differ.diff(folder, folder.empty()), folder);
      diff += own;
    }
    const std::vector<std::string> below = merge::remote_subpackages(ours, folder);
    pending.insert(pending.end(), below.rbegin(), below.rend());
  }
  context.terminal.write(terminal::paint_diff(context.terminal, diff));
  return options.exit_code && !diff.empty() ? 1 : 0;
}

}  // namespace portico::cli
