#include "merge/package.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "krm/equal.h"
#include "merge/internal/contents.h"
#include "merge/kptfile.h"
#include "merge/merge_key.h"
#include "merge/schema.h"
#include "merge/subpackages.h"

namespace portico::merge {
namespace {

bool has_files(const krm::Package& package, std::string_view folder) {
  return !all_files(package, folder).files.empty();
}

/// The files at `folder` that are in none of the `boundaries` below it, and not its Kptfile.
krm::Package contents_at(const krm::Package& package, std::string_view folder,
                         const std::set<std::string>& boundaries) {
  krm::Package contents;
  const std::string kptfile = join_path(folder, kKptfile);
  for (const auto& [path, file] : package.files) {
    if (!is_below(folder, path) || path == kptfile) continue;
    const bool elsewhere = std::any_of(
        boundaries.begin(), boundaries.end(), [&path = path, folder](const std::string& boundary) {
          return boundary.size() > folder.size() && is_below(folder, boundary) &&
                 is_below(boundary, path);
        });
    if (!elsewhere) contents.files.emplace(path, file);
  }
  return contents;
}

Schemas schemas_in(const Versions& versions) {
  Schemas schemas;
  for (const krm::Package* package : {&versions.ours, &versions.theirs}) schemas.add_crds(*package);
  return schemas;
}

class ResourceMerge {
 public:
  ResourceMerge(const Versions& versions, const PackageOptions& options)
      : versions_(versions), options_(options), schemas_(schemas_in(versions)) {
    merged_.package = versions.ours;
    for (const krm::Package* package : sides())
      for (std::string& folder : subpackages(*package, "")) boundaries_.insert(std::move(folder));
  }

  Result<MergedPackage> run() {
    std::set<std::string> local;
    for (const krm::Package* package : sides())
      for (std::string& folder :
           options_.builds ? subpackages(*package, "") : local_subpackages(*package, ""))
        local.insert(std::move(folder));
    std::vector<std::string> folders(local.begin(), local.end());  // a parent before its children
    folders.insert(folders.begin(), "");
    for (const std::string& folder : folders) PORTICO_DO(update(folder));
    return std::move(merged_);
  }

 private:
  std::vector<const krm::Package*> sides() const {
    return {&versions_.base, &versions_.theirs, &versions_.ours};
  }

  Result<Done> update(const std::string& folder) {
    const bool is_top = folder.empty();
    const bool base = is_top || has_files(versions_.base, folder);
    const bool theirs = is_top || has_files(versions_.theirs, folder);
    const bool ours = is_top || has_files(merged_.package, folder);
    if (!ours) {
      if (theirs && !base) add(folder);
      if (theirs && base && !unchanged(versions_.base, versions_.theirs, folder))
        report(folder, "subpackage removed here, changed upstream");
      return Done{};  // removed here stays removed
    }
    if (!theirs) {
      if (base) remove_if_unchanged(folder);
      return Done{};
    }
    if (!base && !options_.builds)
      return invalid("subpackage \"{}\" added in both upstream and local: rename or remove one",
                     folder);
    return merge(folder);
  }

  void add(const std::string& folder) {
    for (auto& [path, file] : own_files(versions_.theirs, folder).files)
      merged_.package.files.insert_or_assign(path, file);
  }

  void remove_if_unchanged(const std::string& folder) {
    if (unchanged(versions_.base, merged_.package, folder)) {
      std::erase_if(merged_.package.files,
                    [&folder](const auto& entry) { return is_below(folder, entry.first); });
      return;
    }
    report(folder, "subpackage removed upstream, changed here");
  }

  bool unchanged(const krm::Package& before, const krm::Package& after,
                 const std::string& folder) const {
    const krm::Package a = cut_out(before, folder), b = cut_out(after, folder);
    return options_.builds ? krm::equal(a, b) : same_content(a, b);
  }

  void report(const std::string& folder, std::string_view rule) {
    Conflict conflict;
    conflict.file = folder;
    conflict.took_theirs = false;
    conflict.rule = rule;
    merged_.conflicts.push_back(std::move(conflict));
  }

  Result<Done> merge(const std::string& folder) {
    PORTICO_DO(merge_kptfiles(folder));
    krm::Package ours = contents_at(merged_.package, folder, boundaries_);
    for (const auto& [path, file] : ours.files) merged_.package.files.erase(path);
    PORTICO_DO(internal::merge_contents(contents_at(versions_.base, folder, boundaries_),
                                        contents_at(versions_.theirs, folder, boundaries_), ours,
                                        schemas_, options_.on_conflict, merged_.conflicts));
    merged_.package.files.merge(std::move(ours.files));
    return Done{};
  }

  /// A Kptfile that does not parse is an error: nothing else in the package can be trusted.
  static Result<std::optional<krm::Object>> read(const krm::Package& package,
                                                 const std::string& path) {
    const krm::File* file = package.find(path);
    if (file == nullptr) return std::optional<krm::Object>();
    PORTICO_TRY(krm::Object object, file->object(), path);
    return std::optional(std::move(object));
  }

  Result<Done> merge_kptfiles(const std::string& folder) {
    const std::string path = join_path(folder, kKptfile);
    PORTICO_TRY(const std::optional<krm::Object> base, read(versions_.base, path));
    PORTICO_TRY(const std::optional<krm::Object> theirs, read(versions_.theirs, path));
    PORTICO_TRY(const std::optional<krm::Object> ours, read(merged_.package, path));
    const bool is_root = folder.empty() && options_.is_root;
    if (!ours) {
      if (theirs && !is_root)
        merged_.package.files.insert_or_assign(path, *versions_.theirs.find(path));
      return Done{};
    }
    KptfileOptions options;
    options.on_conflict =
        options_.on_conflict == OnConflict::kFail ? OnConflict::kUpstream : options_.on_conflict;
    options.take_upstream = !is_root && !options_.builds;
    options.builds = options_.builds;
    PORTICO_TRY(Merged merged,
                merge_kptfile(base ? &*base : nullptr, theirs ? &*theirs : nullptr, *ours, options),
                path);
    if (!(merged.object == *ours)) merged_.package.set(path, merged.object.text());
    for (Conflict& conflict : merged.conflicts) {
      conflict.file = path;
      merged_.conflicts.push_back(std::move(conflict));
    }
    return Done{};
  }

  const Versions& versions_;
  const PackageOptions& options_;
  const Schemas schemas_;
  std::set<std::string> boundaries_;
  MergedPackage merged_;
};

/// Whether the local subpackage has another upstream than its old version had.
bool has_other_upstream(const Versions& versions) {
  const auto ours = kptfile_of(versions.ours, ""), base = kptfile_of(versions.base, "");
  if (!ours || !base) return false;
  const json::Value& old = (*base)["upstream"]["git"];
  return !old.is_null() && (*ours)["upstream"]["git"] != old;
}

}  // namespace

Result<MergedPackage> resource_merge(const Versions& versions, const PackageOptions& options) {
  if (!options.is_root && has_other_upstream(versions)) return MergedPackage{versions.ours, {}};
  PORTICO_TRY(MergedPackage merged, ResourceMerge(versions, options).run());
  if (options.on_conflict == OnConflict::kFail) PORTICO_DO(refuse(merged.conflicts));
  std::stable_sort(merged.conflicts.begin(), merged.conflicts.end(),
                   [](const Conflict& a, const Conflict& b) { return a.file < b.file; });
  return merged;
}

bool same_content(const krm::Package& a, const krm::Package& b) {
  if (a == b) return true;
  const auto marked_a = with_all_merge_keys(a), marked_b = with_all_merge_keys(b);
  return marked_a && marked_b && *marked_a == *marked_b;
}

}  // namespace portico::merge
