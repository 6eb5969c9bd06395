#include "package/upgrade.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "krm/object.h"
#include "merge/kptfile.h"
#include "merge/merge_key.h"
#include "merge/subpackages.h"

namespace portico::package {
namespace {

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

/// Sets the fields in kpt's order, so that a section that is new reads as kpt writes it.
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
             section);  // what the order does not name, and removals
  return Done{};
}

/// Puts the package at `folder` back in its place.
void put_back(krm::Package& whole, std::string_view folder, krm::Package part) {
  std::erase_if(whole.files,
                [folder](const auto& entry) { return merge::is_below(folder, entry.first); });
  for (auto& [path, file] : part.files)
    whole.files.insert_or_assign(merge::join_path(folder, path), std::move(file));
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

/// One package in the three versions of its parent (kpt: update.Command.mergePackage).
class TreeUpgrade {
 public:
  TreeUpgrade(const krm::Package& base, const krm::Package& theirs, MergedPackage& merged,
              std::string top, merge::StrategyOptions options)
      : base_(base),
        theirs_(theirs),
        merged_(merged),
        top_(std::move(top)),
        options_(std::move(options)) {}

  /// The package itself, then the subpackages with an upstream of their own that came with it.
  Result<Done> run() {
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

 private:
  Result<Done> upgrade(const std::string& folder) {
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

  Result<Done> merge(const std::string& folder, const merge::Versions& versions) {
    if (is_unfetched_at(versions.theirs)) return merge_kptfile_only(folder, versions);
    if (is_unfetched_at(versions.base))
      return invalid("no origin available for package \"{}\": its old version was never fetched",
                     folder);
    return apply(folder, versions);
  }

  Result<Done> merge_kptfile_only(const std::string& folder, const merge::Versions& versions) {
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

  Result<Done> apply(const std::string& folder, const merge::Versions& versions) {
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
    put_back(merged_.package, place, std::move(updated.package));
    add_conflicts(merged_, place, std::move(updated.conflicts));
    return Done{};
  }

  krm::Package here(const std::string& folder) const {
    return merge::cut_out(merged_.package, merge::join_path(top_, folder));
  }

  const krm::Package& base_;
  const krm::Package& theirs_;
  MergedPackage& merged_;
  const std::string top_;
  const merge::StrategyOptions options_;
};

/// Conflicts by file, and the merge refused where that is wanted.
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

/// Conflicts are collected from all parts before they are refused.
merge::OnConflict while_merging(merge::OnConflict wanted) {
  return wanted == merge::OnConflict::kFail ? merge::OnConflict::kUpstream : wanted;
}

/// Every part of a directory name: "a/b/../c" and "/a//c/" are "a/c".
std::vector<std::string> directory_parts(std::string_view path) {
  std::vector<std::string> parts;
  while (!path.empty()) {
    const std::size_t slash = path.find('/');
    const std::string_view part = path.substr(0, slash);
    if (part == "..") {
      if (!parts.empty()) parts.pop_back();
    } else if (!part.empty() && part != ".") {
      parts.emplace_back(part);
    }
    if (slash == std::string_view::npos) break;
    path.remove_prefix(slash + 1);
  }
  return parts;
}

class CommandUpdate {
 public:
  explicit CommandUpdate(const UpdateRequest& request) : request_(request) {
    merged_.package = request.ours;
  }

  Result<MergedPackage> run() {
    PORTICO_TRY(krm::Object root, read_kptfile(merged_.package, ""));
    const Value old_git = root.value()["upstream"]["git"];
    if (!old_git.is_object()) return invalid("package must have an upstream reference");
    PORTICO_DO(retarget(root, ""));
    std::vector<std::string> pending = {""};
    while (!pending.empty()) {
      const std::string folder = std::move(pending.back());
      pending.pop_back();
      PORTICO_DO(update(folder));
      for (std::string& found : merge::direct_subpackages(merged_.package, folder)) {
        PORTICO_TRY(krm::Object kptfile, read_kptfile(merged_.package, found));
        const Value& git = kptfile.value()["upstream"]["git"];
        if (!git.is_object()) continue;
        if (follows(git, old_git)) PORTICO_DO(retarget(kptfile, found));
        pending.push_back(std::move(found));
      }
    }
    return finished(std::move(merged_), request_.on_conflict, true);
  }

 private:
  /// Writes the wanted ref and strategy into a Kptfile.
  Result<Done> retarget(krm::Object& kptfile, const std::string& folder) {
    if (!request_.ref.empty())
      PORTICO_DO(kptfile.set({"upstream", "git", "ref"}, request_.ref), kptfile_path(folder));
    if (request_.strategy)
      PORTICO_DO(kptfile.set({"upstream", "updateStrategy"}, merge::name_of(*request_.strategy)),
                 kptfile_path(folder));
    merged_.package.set(kptfile_path(folder), kptfile.text());
    return Done{};
  }

  static bool follows(const Value& git, const Value& root_git) {
    if (git["repo"] != root_git["repo"] || git["ref"] != root_git["ref"]) return false;
    const auto own = directory_parts(git["directory"].as_string());
    const auto root = directory_parts(root_git["directory"].as_string());
    return root.size() <= own.size() && std::equal(root.begin(), root.end(), own.begin());
  }

  Result<Done> update(const std::string& folder) {
    PORTICO_TRY(const krm::Object kptfile, read_kptfile(merged_.package, folder));
    const Value git = kptfile.value()["upstream"]["git"];
    const Value lock = kptfile.value()["upstreamLock"]["git"];
    PORTICO_TRY(const Fetched theirs, request_.fetch(git), "upstream of \"" + folder + "\"");
    Fetched base;
    if (lock.is_object()) {
      PORTICO_TRY(base,
                  request_.fetch(Value::object({{"repo", lock["repo"]},
                                                {"directory", lock["directory"]},
                                                {"commit", lock["commit"]}})),
                  "old upstream of \"" + folder + "\"");
    }
    merge::StrategyOptions options;
    PORTICO_TRY(options.strategy,
                merge::parse_strategy(kptfile.value()["upstream"]["updateStrategy"].as_string()));
    options.on_conflict = while_merging(request_.on_conflict);
    options.name = folder.empty() ? request_.name : folder.substr(folder.rfind('/') + 1);
    PORTICO_DO(TreeUpgrade(base.package, theirs.package, merged_, folder, options).run());

    PORTICO_TRY(krm::Object updated, read_kptfile(merged_.package, folder));
    const Value new_lock =
        Value::object({{"type", "git"}, {"git", git.with("commit", theirs.commit)}});
    PORTICO_DO(set_source(updated, "upstreamLock", new_lock), kptfile_path(folder));
    merged_.package.set(kptfile_path(folder), updated.text());
    return Done{};
  }

  const UpdateRequest& request_;
  MergedPackage merged_;
};

}  // namespace

Result<MergedPackage> upgrade(const UpgradeRequest& request) {
  MergedPackage merged{request.ours, {}};
  PORTICO_DO(read_kptfile(request.ours, ""));
  const merge::StrategyOptions options{request.strategy, while_merging(request.on_conflict), true,
                                       request.name};
  PORTICO_DO(TreeUpgrade(request.base, request.theirs, merged, "", options).run());
  if (request.upstream || request.upstream_lock) {
    PORTICO_TRY(krm::Object kptfile, read_kptfile(merged.package, ""));
    if (request.upstream)
      PORTICO_DO(set_source(kptfile, "upstream", *request.upstream), std::string(merge::kKptfile));
    if (request.upstream_lock)
      PORTICO_DO(set_source(kptfile, "upstreamLock", *request.upstream_lock),
                 std::string(merge::kKptfile));
    merged.package.set(std::string(merge::kKptfile), kptfile.text());
  }
  return finished(std::move(merged), request.on_conflict, request.add_merge_keys);
}

Result<MergedPackage> update(const UpdateRequest& request) { return CommandUpdate(request).run(); }

}  // namespace portico::package
