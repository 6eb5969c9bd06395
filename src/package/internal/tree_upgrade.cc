#include "package/internal/tree_upgrade.h"

#include <algorithm>
#include <set>
#include <utility>

#include "merge/kptfile.h"
#include "merge/merge_key.h"
#include "merge/subpackages.h"

namespace portico::package::internal {

using json::Value;
using merge::MergedPackage;

std::string kptfile_path(std::string_view folder) {
  return merge::join_path(folder, merge::kKptfile);
}

Result<krm::Object> read_kptfile(const krm::Package& package, std::string_view folder) {
  const std::string path = kptfile_path(folder);
  const krm::File* file = package.find(path);
  if (file == nullptr) return invalid("no Kptfile at \"{}\"", path);
  PORTICO_TRY(krm::Object object, file->object(), path);
  return object;
}

Result<Done> set_source(krm::Object& kptfile, const std::string& section, const Value& source) {
  const Value& old = kptfile.value()[section];
  if (old == source) return Done{};
  if (old.is_object() && old["type"] != source["type"]) PORTICO_DO(kptfile.remove({section}));
  std::vector<krm::Path> order = {
      {section, "type"},       {section, "git", "repo"},   {section, "git", "directory"},
      {section, "git", "ref"}, {section, "git", "commit"}, {section, "updateStrategy"}};
  for (const krm::Path& path : order) {
    const Value* value = &source;
    for (std::size_t i = 1; i < path.size(); ++i) value = &(*value)[std::get<std::string>(path[i])];
    if (!value->is_null()) PORTICO_DO(kptfile.set(path, *value), section);
  }
  PORTICO_DO(kptfile.set({section}, source),
             section);  // members that `order` does not list, and removals
  return Done{};
}

namespace {

/// Replaces the package at `folder` by `part`.
void put_back(krm::Package& whole, std::string_view folder, const krm::Package& part) {
  std::erase_if(whole.files,
                [folder](const auto& entry) { return merge::is_below(folder, entry.first); });
  for (const auto& [path, file] : part.files)
    whole.files.insert_or_assign(merge::join_path(folder, path), file);
}

void add_conflicts(MergedPackage& merged, std::string_view folder,
                   std::vector<merge::Conflict> conflicts) {
  for (merge::Conflict& conflict : conflicts) {
    conflict.file = merge::join_path(folder, conflict.file);
    merged.conflicts.push_back(std::move(conflict));
  }
}

bool is_unfetched_at(const krm::Package& package) {
  const auto kptfile = merge::kptfile_of(package, "");
  return kptfile && merge::is_unfetched(*kptfile);
}

}  // namespace

TreeUpgrade::TreeUpgrade(const krm::Package& base, const krm::Package& theirs,
                         MergedPackage& merged, std::string top, merge::StrategyOptions options,
                         Unfetched unfetched)
    : base_(base),
      theirs_(theirs),
      merged_(merged),
      top_(std::move(top)),
      options_(std::move(options)),
      unfetched_(unfetched) {}

Result<Done> TreeUpgrade::run() {
  std::vector<std::string> pending = {""};
  std::set<std::string> seen = {""};
  while (!pending.empty()) {
    const std::string folder = std::move(pending.back());
    pending.pop_back();
    PORTICO_DO(upgrade(folder), merge::join_path(top_, folder));
    const krm::Package ours = merge::cut_out(merged_.package, top_);
    for (const krm::Package* side :
         std::initializer_list<const krm::Package*>{&ours, &theirs_, &base_})
      for (std::string& found : merge::remote_subpackages(*side, folder))
        if (seen.insert(found).second) pending.push_back(std::move(found));
  }
  return Done{};
}

Result<Done> TreeUpgrade::upgrade(const std::string& folder) {
  const krm::Package ours = here(folder);
  const krm::Package base = merge::cut_out(base_, folder);
  const krm::Package theirs = merge::cut_out(theirs_, folder);
  if (folder.empty()) return apply(folder, {base, theirs, ours});
  const bool in_base = merge::has_kptfile(base, ""), in_theirs = merge::has_kptfile(theirs, ""),
             in_ours = merge::has_kptfile(ours, "");
  if (in_ours && in_theirs && !in_base)
    return invalid("subpackage \"{}\" added in both upstream and local: rename or remove one",
                   folder);
  if (in_ours && in_theirs) return merge(folder, {base, theirs, ours});
  if (in_theirs && !in_base) {
    put_back(merged_.package, merge::join_path(top_, folder), merge::own_files(theirs, ""));
    return Done{};
  }
  if (!in_ours || !in_base) return Done{};
  if (merge::same_content(base, ours)) {
    put_back(merged_.package, merge::join_path(top_, folder), {});
    return Done{};
  }
  merge::Conflict conflict;
  conflict.took_theirs = false;
  conflict.rule = "subpackage removed upstream, changed here";
  add_conflicts(merged_, merge::join_path(top_, folder), {conflict});
  return Done{};
}

Result<Done> TreeUpgrade::merge(const std::string& folder, const merge::Versions& versions) {
  const auto is_unfetched = [this](const krm::Package& package) {
    return is_unfetched_at(package) &&
           (unfetched_ == Unfetched::kFetchedNext || package.files.size() == 1);
  };
  if (unfetched_ == Unfetched::kAsItIs && versions.theirs.files.size() > 1 &&
      merge::same_content(versions.base, versions.ours)) {
    put_back(merged_.package, merge::join_path(top_, folder), versions.theirs);
    return Done{};
  }
  if (is_unfetched(versions.theirs)) return merge_kptfile_only(folder, versions);
  if (is_unfetched(versions.base))
    return invalid("no origin available for package \"{}\": its old version was never fetched",
                   folder);
  return apply(folder, versions);
}

Result<Done> TreeUpgrade::merge_kptfile_only(const std::string& folder,
                                             const merge::Versions& versions) {
  PORTICO_TRY(const krm::Object base, read_kptfile(versions.base, ""));
  PORTICO_TRY(const krm::Object theirs, read_kptfile(versions.theirs, ""));
  PORTICO_TRY(const krm::Object ours, read_kptfile(versions.ours, ""));
  PORTICO_TRY(merge::Merged kptfile,
              merge::merge_kptfile(&base, &theirs, ours, {options_.on_conflict, true}));
  const std::string place = merge::join_path(top_, folder);
  merged_.package.set(kptfile_path(place), kptfile.object.text());
  for (merge::Conflict& conflict : kptfile.conflicts) conflict.file = merge::kKptfile;
  add_conflicts(merged_, place, std::move(kptfile.conflicts));
  return Done{};
}

Result<Done> TreeUpgrade::apply(const std::string& folder, const merge::Versions& versions) {
  merge::StrategyOptions options = options_;
  if (!folder.empty()) {
    PORTICO_TRY(const krm::Object kptfile, read_kptfile(versions.ours, ""));
    PORTICO_TRY(options.strategy,
                merge::parse_strategy(kptfile.value()["upstream"]["updateStrategy"].as_string()));
    options.is_root = false;
    options.name = folder.substr(folder.rfind('/') + 1);
  }
  PORTICO_TRY(MergedPackage updated, merge::update_package(versions, options));
  const std::string place = merge::join_path(top_, folder);
  put_back(merged_.package, place, updated.package);
  add_conflicts(merged_, place, std::move(updated.conflicts));
  return Done{};
}

krm::Package TreeUpgrade::here(const std::string& folder) const {
  return merge::cut_out(merged_.package, merge::join_path(top_, folder));
}

Result<MergedPackage> finished(MergedPackage merged, merge::OnConflict on_conflict,
                               bool add_merge_keys) {
  if (on_conflict == merge::OnConflict::kFail) PORTICO_DO(merge::refuse(merged.conflicts));
  std::stable_sort(
      merged.conflicts.begin(), merged.conflicts.end(),
      [](const merge::Conflict& a, const merge::Conflict& b) { return a.file < b.file; });
  if (add_merge_keys) {
    PORTICO_TRY(merged.package, merge::with_merge_keys(merged.package));
  }
  return merged;
}

merge::OnConflict while_merging(merge::OnConflict wanted) {
  return wanted == merge::OnConflict::kFail ? merge::OnConflict::kUpstream : wanted;
}

}  // namespace portico::package::internal
