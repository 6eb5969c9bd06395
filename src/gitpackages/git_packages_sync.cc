#include <map>
#include <set>

#include "api/kinds.h"
#include "base/printable.h"
#include "gitpackages/internal/git_packages.h"
#include "gitpackages/sync_plan.h"
#include "packages/lineage.h"
#include "packages/names.h"
#include "packages/unstored.h"
#include "registry/write_rules.h"

namespace portico::gitpackages {

using json::Value;
using packages::revision_key;

namespace {

registry::Query of_repository(const std::string& ns, const std::string& repository) {
  return {.type = revision_key("", "").type,
          .ns = ns,
          .fields = {{packages::kByRepository, repository}}};
}

// For an object whose package did not change, the Kptfile need not be read again.
const Value* same_content(const std::map<std::string_view, const Value*>& stored,
                          std::string_view name, const repo::Revision& revision) {
  const auto at = stored.find(name);
  if (at == stored.end() || (*at->second)["status"]["tree"].as_string() != revision.tree)
    return nullptr;
  return at->second;
}

}  // namespace

std::optional<registry::Precondition> only_of(const Home& home) {
  if (home.uid.empty()) return std::nullopt;
  return registry::Precondition{{api::repository_kind(), home.ns, home.repository}, home.uid};
}

Result<Done> GitPackages::check(const Value& repository, const Value& secret) {
  return repositories_.check(repository, secret);
}

Result<Synced> GitPackages::sync(const Value& repository) {
  PORTICO_TRY(auto opened, repositories_.open(repository));
  auto synced = sync_opened(opened);
  if (synced || !opened.git->is_damaged()) return synced;
  // A damaged mirror is replaced when it is opened again.
  PORTICO_TRY(opened, repositories_.open(repository));
  return sync_opened(opened);
}

Result<Synced> GitPackages::sync_opened(const Repositories::Opened& opened) {
  const std::string place = "repository \"" + opened.home.repository + "\"";
  PORTICO_DO(opened.git->fetch(), place);
  // The store is read before git: see sync_plan.
  const auto listed = registry_.list(of_repository(opened.home.ns, opened.home.repository));
  if (!listed) return packages::unstored(listed.error()).in(place);
  const registry::Listing& stored = *listed;
  PORTICO_TRY(const auto revisions, opened.git->discover(), place);

  std::map<std::string_view, const Value*> by_name;
  for (const Value& object : stored.objects) by_name.emplace(krm::name_of(object), &object);
  const std::vector<bool> latest = latest_of_each(revisions);
  std::map<std::string, KptfileFacts> read;  // by tree: tags and branch head often share one
  std::vector<Value> fresh;
  fresh.reserve(revisions.size());
  for (std::size_t i = 0; i < revisions.size(); ++i) {
    const repo::Revision& each = revisions[i];
    const std::string object_name =
        packages::object_name(opened.home.repository, each.package, each.workspace);
    KptfileFacts facts;
    if (const Value* same = same_content(by_name, object_name, each)) {
      facts = facts_of(*same);
    } else if (const auto at = read.find(each.tree); at != read.end()) {
      facts = at->second;
    } else {
      const auto package = opened.git->read(each.tree);
      if (!package && package.error().code != Code::kInvalid)
        return package.error().in(each.ref).in(place);
      // An unreadable package must not hide the others.
      facts = package ? kptfile_facts(**package) : unreadable(package.error());
      read.emplace(each.tree, facts);
    }
    fresh.push_back(to_object(opened.home, each, opened.git->lock_of(each), facts, latest[i]));
  }

  PORTICO_DO(add_drift(opened, revisions, latest, fresh), place);

  Synced out;
  out.revisions = fresh.size();
  std::set<std::string_view> packages;
  for (const repo::Revision& each : revisions) packages.insert(each.package);
  out.packages = packages.size();
  PORTICO_TRY(out.head, opened.git->head(), place);
  // The two writes for one object go together: the first is checked against the version that was
  // read; without it, the second could overwrite a newer status with an old one.
  std::vector<registry::Write> single;
  std::vector<Result<Value>> written;
  std::vector<registry::Write> writes = sync_plan(stored.objects, fresh);
  for (registry::Write& write : writes) write.only = only_of(opened.home);
  for (std::size_t i = 0; i < writes.size(); ++i) {
    const bool pair = i + 1 < writes.size() &&
                      writes[i + 1].verb == registry::Verb::kUpdateStatus &&
                      krm::name_of(writes[i].object) == krm::name_of(writes[i + 1].object);
    if (!pair) {
      single.push_back(writes[i]);
      continue;
    }
    auto both = registry_.commit({writes[i], writes[i + 1]});
    ++i;
    written.push_back(both ? Result<Value>(both->back()) : std::move(both).error());
  }
  std::vector<Value> created;
  auto singly = registry_.commit_each(single);
  for (std::size_t i = 0; i < singly.size(); ++i) {
    if (singly[i] && single[i].verb == registry::Verb::kCreate) created.push_back(*singly[i]);
    written.push_back(std::move(singly[i]));
  }
  PORTICO_DO(drop_removed(opened, created), place);
  // Revisions of a Repository that was deleted meanwhile do not belong to its successor of the same
  // name.
  if (const auto only = only_of(opened.home)) {
    const auto there = registry_.get(only->key);
    if (!there && there.error().code != Code::kNotFound)
      return packages::unstored(there.error()).in(place);
    PORTICO_DO(registry::still(*only, there ? krm::uid_of(*there) : ""), place);
  }
  for (const auto& each : written) {
    // A revision that was written concurrently keeps that state; the others continue.
    if (each)
      ++out.written;
    else if (each.error().code != Code::kConflict && each.error().code != Code::kNotFound)
      return packages::unstored(each.error()).in(place);
  }
  return out;
}

Result<Done> GitPackages::drop_removed(const Repositories::Opened& opened,
                                       const std::vector<Value>& created) {
  if (created.empty()) return Done{};
  PORTICO_TRY(const auto revisions, opened.git->discover());
  std::set<std::string> there;
  for (const repo::Revision& each : revisions)
    there.insert(packages::object_name(opened.home.repository, each.package, each.workspace));
  std::vector<registry::Write> writes;
  for (const Value& object : created)
    if (!there.contains(std::string(krm::name_of(object))))
      writes.push_back({registry::Verb::kDelete, object});
  for (const auto& each : registry_.commit_each(writes))
    if (!each && each.error().code != Code::kConflict && each.error().code != Code::kNotFound)
      return packages::unstored(each.error());
  return Done{};
}

Result<Done> GitPackages::add_drift(const Repositories::Opened& home,
                                    const std::vector<repo::Revision>& revisions,
                                    const std::vector<bool>& latest,
                                    std::vector<Value>& fresh) const {
  constexpr std::size_t kMost = 20;  // limit for the listed commits and files
  std::map<std::string_view, std::size_t> published;
  for (std::size_t i = 0; i < revisions.size(); ++i)
    if (latest[i]) published.emplace(revisions[i].package, i);
  for (std::size_t i = 0; i < revisions.size(); ++i) {
    const repo::Revision& head = revisions[i];
    if (head.revision != -1 || head.workspace != home.home.branch) continue;
    const auto at = published.find(head.package);
    if (at == published.end() || revisions[at->second].tree == head.tree) continue;
    const repo::Revision& last = revisions[at->second];
    PORTICO_TRY(const auto changes,
                home.git->changes(head.commit, last.commit, head.package, kMost), head.ref);
    std::vector<Value> commits, files;
    for (const repo::Repository::Change& each : changes)
      if (!each.annotated)
        commits.emplace_back(printable(
            fmt::format("{} {}: {}", each.commit.substr(0, 8), each.author, each.subject)));
    if (commits.empty()) continue;  // the head comes from a revision that no longer exists
    std::set<std::string_view> paths;
    const auto before = home.git->read(last.tree);
    const auto after = home.git->read(head.tree);
    for (const auto* each : {&before, &after})
      if (!*each && each->error().code != Code::kInvalid) return each->error().in(head.ref);
    if (before && after) {
      for (const auto& [path, file] : (*before)->files)
        if (const krm::File* now = (*after)->find(path); now == nullptr || *now != file)
          paths.insert(path);
      for (const auto& [path, file] : (*after)->files)
        if ((*before)->find(path) == nullptr) paths.insert(path);
    }
    for (const std::string_view path : paths)
      if (files.size() < kMost) files.emplace_back(printable(path));
    fresh[i] = fresh[i].with_at({"status", "drift"},
                                Value::object({{"since", krm::name_of(fresh[at->second])},
                                               {"commits", Value::array(std::move(commits))},
                                               {"files", Value::array(std::move(files))}}));
  }
  return Done{};
}

void GitPackages::catch_up(const Home& home) {
  const auto runs = catching_up_.with([&](auto& all) {
    auto& one = all[{home.ns, home.repository}];
    if (one == nullptr) one = std::make_shared<SingleFlight>();
    return one;
  });
  runs->run([&] {
    const auto repository =
        registry_.get({{std::string(api::kConfigGroup), std::string(api::kRepositoryKind)},
                       home.ns,
                       home.repository});
    // If this fails, the conflict is still the error to report; the next sync reports the reason.
    if (repository) static_cast<void>(sync(*repository));
  });
}

Result<Done> GitPackages::forget(const std::string& ns, const std::string& repository) {
  repositories_.forget(ns, repository);
  catching_up_.with([&](auto& all) { all.erase({ns, repository}); });
  PORTICO_TRY(const registry::Listing stored, registry_.list(of_repository(ns, repository)));
  std::vector<registry::Write> writes;
  // What a new Repository of that name has found meanwhile stays.
  const registry::Precondition gone{{api::repository_kind(), ns, repository}, ""};
  for (const Value& object : stored.objects)
    writes.push_back({.verb = registry::Verb::kDelete, .object = object, .only = gone});
  for (const auto& written : registry_.commit_each(writes))
    if (!written && written.error().code != Code::kNotFound &&
        written.error().code != Code::kConflict)
      return written.error();
  return Done{};
}

}  // namespace portico::gitpackages
