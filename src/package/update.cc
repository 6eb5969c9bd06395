#include "package/update.h"

#include <algorithm>
#include <utility>

#include "krm/equal.h"
#include "krm/object.h"
#include "merge/merge_key.h"
#include "merge/subpackages.h"
#include "package/context.h"
#include "package/internal/tree_upgrade.h"

namespace portico::package {
namespace {

using internal::kptfile_path;
using internal::read_kptfile;
using internal::set_source;
using json::Value;

/// The normalized parts of a directory path: "a/b/../c" and "/a//c/" are "a/c".
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

bool follows(const krm::GitLocation& git, const krm::GitLocation& root_git) {
  if (git.repo != root_git.repo || git.ref != root_git.ref) return false;
  const auto own = directory_parts(git.directory);
  const auto root = directory_parts(root_git.directory);
  return root.size() <= own.size() && std::equal(root.begin(), root.end(), own.begin());
}

/// The value of `upstream` or, with a commit, of `upstreamLock`.
Value source_value(const krm::GitLocation& git) {
  std::vector<json::Member> members = {
      {"repo", git.repo}, {"directory", git.directory}, {"ref", git.ref}};
  if (!git.commit.empty()) members.push_back({"commit", git.commit});
  return Value::object({{"type", "git"}, {"git", Value::object(std::move(members))}});
}

std::string shown(const std::string& folder) {
  return folder.empty() ? "package" : "package \"" + folder + "\"";
}

/// The package being updated, and the steps so far.
class Work {
 public:
  Work(krm::Package package, const Fetch& fetch, merge::OnConflict on_conflict, std::string name)
      : fetch_(fetch), on_conflict_(on_conflict), name_(std::move(name)) {
    done_.merged.package = std::move(package);
  }

  const krm::Package& package() const { return done_.merged.package; }
  void add(Step step) { done_.steps.push_back(std::move(step)); }
  void set_kptfile(const std::string& folder, const krm::Object& kptfile) {
    done_.merged.package.set(kptfile_path(folder), kptfile.text());
  }

  Result<krm::Kptfile> kptfile(const std::string& folder) const {
    PORTICO_TRY(const krm::Object object, read_kptfile(package(), folder));
    PORTICO_TRY(krm::Kptfile kptfile, krm::Kptfile::decode(object), kptfile_path(folder));
    return kptfile;
  }

  /// Updates the package at `folder` from the version in its lock to that of its upstream.
  Result<Done> bring(const std::string& folder) {
    PORTICO_TRY(const krm::Kptfile kptfile, this->kptfile(folder));
    if (!kptfile.upstream) return invalid("{} must have an upstream reference", shown(folder));
    const krm::GitLocation& to = kptfile.upstream->git;
    PORTICO_TRY(const Fetched theirs, fetch_(to), "upstream of " + shown(folder));
    Step step{folder, "", "", "", theirs.ref.empty() ? to.ref : theirs.ref, theirs.commit};
    Fetched base;
    if (kptfile.upstream_lock) {
      const krm::GitLocation& from = kptfile.upstream_lock->git;
      PORTICO_TRY(base, fetch_(from), "old upstream of " + shown(folder));
      step.from_ref = from.ref;
      step.from_commit = from.commit;
    }
    merge::StrategyOptions options;
    PORTICO_TRY(options.strategy, merge::parse_strategy(kptfile.upstream->update_strategy),
                kptfile_path(folder));
    if (kptfile.upstream_lock) step.strategy = merge::name_of(options.strategy);
    options.on_conflict = internal::while_merging(on_conflict_);
    options.name = folder.empty() ? name_ : folder.substr(folder.rfind('/') + 1);
    PORTICO_DO(internal::TreeUpgrade(base.package, theirs.package, done_.merged, folder, options,
                                     internal::TreeUpgrade::Unfetched::kFetchedNext)
                   .run());

    PORTICO_TRY(krm::Object updated, read_kptfile(package(), folder));
    const krm::GitLocation lock{to.repo, to.directory, step.to_ref, step.to_commit};
    PORTICO_DO(set_source(updated, "upstreamLock", source_value(lock)), kptfile_path(folder));
    set_kptfile(folder, updated);
    add(std::move(step));
    return Done{};
  }

  Result<Updated> finish() && {
    PORTICO_TRY(done_.merged, internal::finished(std::move(done_.merged), on_conflict_, true));
    return std::move(done_);
  }

 private:
  const Fetch& fetch_;
  const merge::OnConflict on_conflict_;
  const std::string name_;
  Updated done_;
};

/// Writes the requested ref and strategy into a Kptfile.
Result<Done> retarget(Work& work, const std::string& folder, const UpdateRequest& request) {
  PORTICO_TRY(krm::Object kptfile, read_kptfile(work.package(), folder));
  if (!request.ref.empty())
    PORTICO_DO(kptfile.set({"upstream", "git", "ref"}, request.ref), kptfile_path(folder));
  if (request.strategy)
    PORTICO_DO(kptfile.set({"upstream", "updateStrategy"}, merge::name_of(*request.strategy)),
               kptfile_path(folder));
  work.set_kptfile(folder, kptfile);
  return Done{};
}

/// The Kptfile of an upstream package; if it has none, a new one with just the name.
Result<krm::Object> kptfile_or_new(const krm::Package& package, const std::string& name) {
  if (!merge::has_kptfile(package, "")) return krm::new_kptfile(name);
  return read_kptfile(package, "");
}

}  // namespace

Result<Updated> update(const UpdateRequest& request) {
  Work work(request.ours, request.fetch, request.on_conflict, request.name);
  PORTICO_TRY(const krm::Kptfile root, work.kptfile(""));
  if (!root.upstream) return invalid("package must have an upstream reference");
  PORTICO_DO(retarget(work, "", request));
  std::vector<std::string> pending = {""};
  while (!pending.empty()) {
    const std::string folder = std::move(pending.back());
    pending.pop_back();
    PORTICO_DO(work.bring(folder));
    for (std::string& found : merge::direct_subpackages(work.package(), folder)) {
      PORTICO_TRY(const krm::Kptfile kptfile, work.kptfile(found));
      if (!kptfile.upstream) continue;
      if (follows(kptfile.upstream->git, root.upstream->git))
        PORTICO_DO(retarget(work, found, request));
      pending.push_back(std::move(found));
    }
  }
  return std::move(work).finish();
}

Result<Updated> get(const GetRequest& request) {
  PORTICO_TRY(Fetched theirs, request.fetch(request.from), "upstream");
  krm::GitLocation upstream = request.from, lock = request.from;
  upstream.commit.clear();
  if (!theirs.ref.empty()) lock.ref = theirs.ref;
  if (upstream.ref.empty()) upstream.ref = lock.ref;
  lock.commit = theirs.commit;

  PORTICO_TRY(krm::Object kptfile, kptfile_or_new(theirs.package, request.name));
  if (!kptfile.is_krm() || kptfile.kind() != "Kptfile")
    return invalid("is not a Kptfile").in(kptfile_path(""));
  PORTICO_DO(krm::set_package_name(kptfile, request.name), kptfile_path(""));
  const Value source =
      source_value(upstream).with("updateStrategy", merge::name_of(request.strategy));
  PORTICO_DO(set_source(kptfile, "upstream", source), kptfile_path(""));
  PORTICO_DO(set_source(kptfile, "upstreamLock", source_value(lock)), kptfile_path(""));

  Work work(std::move(theirs.package), request.fetch, merge::OnConflict::kUpstream, request.name);
  work.set_kptfile("", kptfile);
  work.add({"", "", "", "", lock.ref, lock.commit});
  std::vector<std::string> pending = {""};
  while (!pending.empty()) {
    const std::string folder = std::move(pending.back());
    pending.pop_back();
    const auto sub = merge::kptfile_of(work.package(), folder);
    if (!folder.empty() && sub && merge::is_unfetched(*sub)) PORTICO_DO(work.bring(folder));
    for (std::string& found : merge::direct_subpackages(work.package(), folder))
      pending.push_back(std::move(found));
  }
  PORTICO_TRY(Updated got, std::move(work).finish());
  if (request.for_deployment) {
    PORTICO_TRY(got.merged.package, generate_context(std::move(got.merged.package), ""));
  }
  return got;
}

Result<krm::Package> as_fetched(krm::Package theirs, const krm::Package& ours) {
  PORTICO_TRY(const krm::Object local, read_kptfile(ours, ""));
  const std::string name(local.name());
  PORTICO_TRY(krm::Object kptfile, kptfile_or_new(theirs, name));
  PORTICO_DO(krm::set_package_name(kptfile, name), kptfile_path(""));
  std::vector<krm::Edit> copies;
  for (const char* section : {"upstream", "upstreamLock"}) {
    if (local.value()[section].is_null()) continue;
    krm::Edit copy;
    copy.path = {section};
    copy.from = &local;
    copy.from_path = {section};
    copies.push_back(std::move(copy));
  }
  PORTICO_DO(kptfile.edit(copies), kptfile_path(""));
  PORTICO_TRY(theirs, merge::with_merge_keys(theirs));
  // A different member order is not a change, because kpt writes its own order.
  theirs.set(kptfile_path(""), krm::equal(kptfile, local) ? local.text() : kptfile.text());
  return theirs;
}

}  // namespace portico::package
