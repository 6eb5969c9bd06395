#include "merge/strategy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/spelling.h"
#include "krm/equal.h"
#include "krm/object.h"
#include "merge/kptfile.h"
#include "merge/merge_key.h"
#include "merge/subpackages.h"

namespace portico::merge {
namespace {

constexpr std::array<std::pair<Strategy, std::string_view>, 4> kNames = {{
    {Strategy::kResourceMerge, "resource-merge"},
    {Strategy::kFastForward, "fast-forward"},
    {Strategy::kForceDeleteReplace, "force-delete-replace"},
    {Strategy::kCopyMerge, "copy-merge"},
}};

std::optional<krm::Object> parse_kptfile(const krm::Package& package) {
  const krm::File* file = package.find(kKptfile);
  if (file == nullptr) return {};
  auto object = file->object();
  if (!object) return {};
  return *std::move(object);
}

/// Merges the root Kptfile and, except for builds, takes the new version's upstream; see
/// KptfileOptions::take_upstream.
Result<Done> merge_root_kptfile(const Versions& versions, const StrategyOptions& options,
                                MergedPackage& merged) {
  const auto base = parse_kptfile(versions.base), theirs = parse_kptfile(versions.theirs);
  const krm::File* file = versions.ours.find(kKptfile);
  if (file == nullptr) {
    if (const krm::File* upstream = versions.theirs.find(kKptfile))
      merged.package.files.insert_or_assign(std::string(kKptfile), *upstream);
    return Done{};
  }
  PORTICO_TRY(const krm::Object ours, file->object(), std::string(kKptfile));
  PORTICO_TRY(Merged kptfile,
              merge_kptfile(base ? &*base : nullptr, theirs ? &*theirs : nullptr, ours,
                            {options.on_conflict, !options.builds, options.builds}),
              std::string(kKptfile));
  if (!(kptfile.object == ours)) merged.package.set(std::string(kKptfile), kptfile.object.text());
  for (Conflict& conflict : kptfile.conflicts) {
    conflict.file = kKptfile;
    merged.conflicts.push_back(std::move(conflict));
  }
  return Done{};
}

void erase_all(krm::Package& package, const krm::Package& files) {
  for (const auto& [path, file] : files.files) package.files.erase(path);
}

Result<MergedPackage> force_delete_replace(const Versions& versions,
                                           const StrategyOptions& options) {
  MergedPackage merged{versions.ours, {}};
  PORTICO_DO(merge_root_kptfile(versions, options, merged));
  const auto kptfile = merged.package.files.find(kKptfile);
  std::optional<krm::File> kept;
  if (options.is_root && kptfile != merged.package.files.end()) kept = kptfile->second;

  std::set<std::string> folders = {""};
  for (const krm::Package* package : {&versions.ours, &versions.theirs})
    for (std::string& folder : local_subpackages(*package, "")) folders.insert(std::move(folder));
  for (const std::string& folder : folders) {
    erase_all(merged.package, own_files(versions.ours, folder));
    const krm::Package theirs = own_files(versions.theirs, folder);
    if (all_files(versions.theirs, folder).files.empty())
      erase_all(merged.package, all_files(versions.ours, folder));
    for (const auto& [path, file] : theirs.files) merged.package.files.insert_or_assign(path, file);
  }
  if (kept) merged.package.files.insert_or_assign(std::string(kKptfile), *std::move(kept));
  return merged;
}

/// A Kptfile for comparison: without the fields that an upgrade or a render writes.
json::Value comparable(krm::Object kptfile) {
  if (!clear_render_status(kptfile)) return kptfile.value();
  return kptfile.value().without("upstream").without("upstreamLock");
}

bool is_default(const json::Value& kptfile, const std::string& name) {
  if (kptfile.size() != 3 || kptfile["metadata"].size() != 1) return false;
  const std::string_view own = kptfile["metadata"]["name"].as_string();
  return kptfile["kind"].as_string() == "Kptfile" && !own.empty() && (name.empty() || own == name);
}

bool same_root_kptfile(const Versions& versions, const std::string& name) {
  const auto ours = parse_kptfile(versions.ours), base = parse_kptfile(versions.base);
  if (!ours) return !base;
  const json::Value local = comparable(*ours);
  if (!base) return is_default(local, name);
  const json::Value& own_name = local["metadata"]["name"];
  return comparable(*base).with_at({"metadata", "name"}, own_name) == local;
}

bool same_sub_kptfile(const krm::Package& ours, const krm::Package& base) {
  const auto local = parse_kptfile(ours), old = parse_kptfile(base);
  if (!local || !old) return !local && !old;
  return local->value().without("upstream").without("upstreamLock") ==
         old->value().without("upstream").without("upstreamLock");
}

/// The files of the package at `folder` that differ.
Result<std::vector<std::string>> changed_files(const Versions& versions, const std::string& folder,
                                               const std::string& name) {
  const krm::Package ours_here = cut_out(own_files(versions.ours, folder), folder);
  const krm::Package base_here = cut_out(own_files(versions.base, folder), folder);
  PORTICO_TRY(const krm::Package ours, with_merge_keys(ours_here));
  PORTICO_TRY(const krm::Package base, with_merge_keys(base_here));
  std::set<std::string> paths;
  for (const krm::Package* package : {&ours, &base})
    for (const auto& [path, file] : package->files) paths.insert(path);
  std::vector<std::string> changed;
  for (const std::string& path : paths) {
    const krm::File *a = ours.find(path), *b = base.find(path);
    bool same = a != nullptr && b != nullptr && *a == *b;
    if (!same && path == kKptfile)
      same = folder.empty() ? same_root_kptfile(versions, name) : same_sub_kptfile(ours, base);
    if (!same) changed.push_back(join_path(folder, path));
  }
  return changed;
}

Result<Done> refuse_local_changes(const Versions& versions, const StrategyOptions& options) {
  if (versions.base.files.empty()) return Done{};
  std::set<std::string> folders = {""};
  for (const krm::Package* package : {&versions.ours, &versions.base})
    for (std::string& folder : local_subpackages(*package, "")) folders.insert(std::move(folder));
  std::vector<std::string> changed;
  for (const std::string& folder : folders) {
    const bool here = folder.empty() || !all_files(versions.ours, folder).files.empty();
    const bool there = folder.empty() || !all_files(versions.base, folder).files.empty();
    if (!here || !there) {
      changed.push_back(folder + " (package)");
      continue;
    }
    PORTICO_TRY(const std::vector<std::string> own, changed_files(versions, folder, options.name));
    changed.insert(changed.end(), own.begin(), own.end());
  }
  if (changed.empty()) return Done{};
  return invalid(
      "local package files have been modified: [{}], so it cannot be fast-forwarded; use a "
      "different update --strategy",
      fmt::join(changed, " "));
}

Result<MergedPackage> fast_forward(const Versions& versions, const StrategyOptions& options) {
  PORTICO_DO(refuse_local_changes(versions, options));
  PORTICO_TRY(MergedPackage merged, force_delete_replace(versions, options));
  if (auto kptfile = parse_kptfile(merged.package)) {
    PORTICO_DO(clear_render_status(*kptfile), std::string(kKptfile));
    if (kptfile->text() != merged.package.find(kKptfile)->text())
      merged.package.set(std::string(kKptfile), kptfile->text());
  }
  return merged;
}

/// A path cannot be a file on one side and a folder on the other.
Result<Done> refuse_folder_in_place(const krm::Package& package, const std::string& path) {
  const auto below = package.files.lower_bound(path + "/");
  if (below != package.files.end() && is_below(path, below->first))
    return invalid("\"{}\" is a directory in the local package and a file upstream", path);
  for (std::size_t slash = path.find('/'); slash != std::string::npos;
       slash = path.find('/', slash + 1))
    if (package.find(std::string_view(path).substr(0, slash)) != nullptr)
      return invalid("\"{}\" is a file in the local package and not a directory",
                     path.substr(0, slash));
  return Done{};
}

Result<MergedPackage> copy_merge(const Versions& versions, const StrategyOptions& options) {
  MergedPackage merged{versions.ours, {}};
  PORTICO_DO(merge_root_kptfile(versions, options, merged));
  for (const auto& [path, file] : versions.base.files) {
    if (path == kKptfile || versions.theirs.find(path) != nullptr) continue;
    const krm::File* ours = versions.ours.find(path);
    if (!options.builds || ours == nullptr || krm::equal_files(path, file, *ours)) {
      merged.package.files.erase(path);
      continue;
    }
    Conflict conflict;
    conflict.file = path;
    conflict.took_theirs = false;
    conflict.rule = "removed upstream, changed here";
    merged.conflicts.push_back(std::move(conflict));
  }
  for (const auto& [path, file] : versions.theirs.files) {
    if (path == kKptfile) continue;
    PORTICO_DO(refuse_folder_in_place(merged.package, path));
    const krm::File *ours = versions.ours.find(path), *base = versions.base.find(path);
    const bool changed_here =
        ours != nullptr && !(*ours == file) && (base == nullptr || !(*ours == *base));
    if (changed_here) {
      Conflict conflict;
      conflict.file = path;
      conflict.rule = "replaced by copy-merge, changed here";
      merged.conflicts.push_back(std::move(conflict));
    }
    merged.package.files.insert_or_assign(path, file);
  }
  return merged;
}

}  // namespace

std::string_view name_of(Strategy strategy) {
  for (const auto& [value, name] : kNames)
    if (value == strategy) return name;
  return "";
}

Result<Strategy> parse_strategy(std::string_view text) {
  if (text.empty()) return Strategy::kResourceMerge;
  std::vector<std::string_view> words;
  for (const auto& [value, name] : kNames) {
    if (name == text) return value;
    words.push_back(name);
  }
  return invalid(
      "unrecognized update strategy \"{}\"{}: must be resource-merge, fast-forward, "
      "force-delete-replace or copy-merge",
      text, hint(text, words));
}

Result<MergedPackage> update_package(const Versions& versions, const StrategyOptions& options) {
  switch (options.strategy) {
    case Strategy::kResourceMerge:
      return resource_merge(versions, {options.on_conflict, options.is_root, options.builds});
    case Strategy::kFastForward:
      return fast_forward(versions, options);
    case Strategy::kForceDeleteReplace:
      return force_delete_replace(versions, options);
    case Strategy::kCopyMerge:
      return copy_merge(versions, options);
  }
  return portico::internal("unknown update strategy");
}

}  // namespace portico::merge
