#include "api/kinds.h"
#include "api/package_revision.h"
#include "base/time.h"
#include "gitpackages/internal/git_packages.h"
#include "gitpackages/sync_plan.h"
#include "json/text.h"
#include "packages/lineage.h"

namespace portico::gitpackages {

using json::Value;

namespace {

// Metadata of a new object that is not in git, besides labels and annotations.
constexpr const char* kKeptLists[] = {"ownerReferences", "finalizers", "managedFields"};

}  // namespace

void clear_locks_of_the_dead(const registry::Registry& registry) {
  const auto repositories = registry.list({.type = api::repository_kind()});
  if (!repositories) return;
  for (const Value& each : repositories->objects)
    repo::clear_locks_of_the_dead(std::string(each["spec"]["git"]["repo"].as_string()));
}

std::unique_ptr<packages::PackageStore> make_git_packages(const Options& options) {
  return std::make_unique<GitPackages>(options);
}

Result<std::shared_ptr<const krm::Package>> GitPackages::read(const Value& package_revision) {
  PORTICO_TRY(const repo::Revision revision, to_revision(package_revision));
  PORTICO_TRY(const auto opened, home_of(package_revision, revision));
  PORTICO_TRY(const auto package, opened.git->read(revision.tree));
  return std::make_shared<const krm::Package>(krm::unread(*package));
}

Result<std::shared_ptr<const krm::Package>> GitPackages::read_some(const Value& package_revision,
                                                                   const krm::WantedPath& wanted) {
  PORTICO_TRY(const repo::Revision revision, to_revision(package_revision));
  PORTICO_TRY(const auto opened, home_of(package_revision, revision));
  PORTICO_TRY(const auto package, opened.git->read_some(revision.tree, wanted));
  return std::make_shared<const krm::Package>(krm::unread(*package));
}

Result<std::shared_ptr<const krm::Package>> GitPackages::read_at(const std::string& ns,
                                                                 const std::string& repository,
                                                                 const std::string& package,
                                                                 const std::string& commit) {
  PORTICO_TRY(const auto opened, repositories_.open(ns, repository));
  PORTICO_DO(opened.git->know(commit));
  PORTICO_TRY(const std::string tree, opened.git->tree_at(commit, package));
  PORTICO_TRY(const auto content, opened.git->read(tree));
  return std::make_shared<const krm::Package>(krm::unread(*content));
}

Result<std::optional<packages::Pristine>> GitPackages::pristine_of(const Value& package_revision) {
  PORTICO_TRY(const repo::Revision revision, to_revision(package_revision));
  std::optional<repo::Pristine> found = revision.pristine;
  if (!found) {
    PORTICO_TRY(const auto opened, home_of(package_revision, revision));
    PORTICO_TRY(found, opened.git->pristine_of(revision.commit, revision.package));
  }
  if (!found) return std::optional<packages::Pristine>();
  return std::optional(packages::Pristine{found->commit, found->tree, found->inputs});
}

Result<GitPackages::Reservation> GitPackages::reserve(const packages::SaveRequest& request) {
  const std::string place =
      fmt::format("{}/{}/{}/", request.ns, request.repository, request.package);
  const bool free = drafting_.with([&](auto& places) {
    for (const std::string& other : places)
      if (other != place && (other.starts_with(place) || place.starts_with(other))) return false;
    places.insert(place);
    return true;
  });
  if (!free)
    return conflict("another package above or below \"{}\" is being drafted in repository \"{}\"",
                    request.package, request.repository);
  Reservation held(this, place);
  for (std::size_t slash = request.package.find('/'); slash != std::string::npos;
       slash = request.package.find('/', slash + 1)) {
    const std::string above = request.package.substr(0, slash);
    PORTICO_TRY(const auto there,
                packages::revisions_of(registry_, request.ns, request.repository, above));
    if (!there.empty())
      return invalid(
          "package path \"{}\" conflicts with existing package \"{}\": packages cannot be nested",
          request.package, above);
  }
  return held;
}

namespace {

std::vector<packages::Change> as_changes(std::vector<repo::Repository::Change> changes) {
  std::vector<packages::Change> out;
  for (repo::Repository::Change& each : changes)
    out.push_back({std::move(each.commit), std::move(each.author), rfc3339(each.when),
                   std::move(each.subject), each.pristine, std::move(each.workspace), each.revision,
                   std::move(each.variant), std::move(each.decisions)});
  return out;
}

}  // namespace

Result<std::vector<packages::Change>> GitPackages::history(const Value& package_revision,
                                                           std::size_t most) {
  PORTICO_TRY(const repo::Revision revision, to_revision(package_revision));
  PORTICO_TRY(const auto opened, home_of(package_revision, revision));
  PORTICO_TRY(auto changes, opened.git->changes(revision.commit, "", revision.package, most));
  return as_changes(std::move(changes));
}

Result<std::vector<packages::Change>> GitPackages::log(const Value& package_revision,
                                                       std::size_t most) {
  PORTICO_TRY(const repo::Revision revision, to_revision(package_revision));
  PORTICO_TRY(const auto opened, home_of(package_revision, revision));
  PORTICO_TRY(auto changes, opened.git->log(revision.commit, revision.package, most));
  return as_changes(std::move(changes));
}

Result<Value> GitPackages::save(const packages::SaveRequest& request) {
  const bool in_place = !request.draft.is_null();
  std::optional<Reservation> held;
  if (!in_place && request.base.is_null()) {
    PORTICO_TRY(held, reserve(request));
  }
  repo::DraftWrite write;
  write.package = request.package;
  write.workspace = request.workspace;
  write.content = request.content;
  if (in_place) {
    PORTICO_TRY(const repo::Revision before, to_revision(request.draft));
    write.expected_commit = before.commit;
  } else if (!request.base.is_null()) {
    PORTICO_TRY(const repo::Revision base, to_revision(request.base));
    write.parent_commit = base.commit;
  }
  if (!request.onto.is_null()) {
    PORTICO_TRY(const repo::Revision onto, to_revision(request.onto));
    write.onto_commit = onto.commit;
  }
  write.pristine = request.pristine;
  write.inputs = request.inputs;
  write.message.subject = request.subject;
  write.message.body = request.body;
  write.message.task = request.task.is_null() ? "" : json::print(request.task);
  write.message.variant = request.variant;
  write.message.variant_set = request.variant_set;
  write.message.pin = request.pin.is_null() ? "" : json::print(request.pin);
  if (!request.actor.decision.empty()) write.message.decisions = {request.actor.decision};
  write.author = signature(request.actor);
  PORTICO_TRY(const auto home, repositories_.open(request.ns, request.repository));
  for (const std::string& commit : {write.expected_commit, write.parent_commit, write.onto_commit})
    PORTICO_DO(home.git->know(commit));
  PORTICO_TRY(const repo::Revision saved,
              resync_on_conflict(home.git->save_draft(write), home.home));
  say("saved", home.home, saved, request.actor);

  Value fresh =
      to_object(home.home, saved, home.git->lock_of(saved), kptfile_facts(request.content), false);
  if (in_place) return store_changed(fresh);
  for (const char* field : {"labels", "annotations"})
    for (const json::Member& member : request.object["metadata"][field].members())
      fresh = fresh.with_at({"metadata", field, member.name()}, member.value);
  for (const char* field : kKeptLists)
    if (const Value& list = request.object["metadata"][field]; list.size() > 0)
      fresh = fresh.with_at({"metadata", field}, list);
  if (const Value& tasks = request.object["spec"]["tasks"]; tasks.size() > 0)
    fresh = fresh.with_at({"spec", "tasks"}, tasks);
  else if (!request.task.is_null())
    fresh = fresh.with_at({"spec", "tasks"}, Value::array({request.task}));
  return store_new(fresh, home.home);
}

Result<Value> GitPackages::store_new(const Value& fresh, const Home& home) {
  auto created =
      registry_.commit({{.verb = registry::Verb::kCreate, .object = fresh, .only = only_of(home)}});
  if (created) return (*created)[0];
  if (created.error().reason != Reason::kAlreadyExists) return std::move(created).error();
  // A sync saw the branch first: its object gets what only this request knows.
  return commit_with_retry(krm::object_key(fresh), [&]() -> Result<std::vector<registry::Write>> {
    PORTICO_TRY(const Value stored, registry_.get(krm::object_key(fresh)));
    Value merged = refreshed(stored, fresh);
    for (const char* field : {"labels", "annotations"})
      for (const json::Member& member : fresh["metadata"][field].members())
        merged = merged.with_at({"metadata", field, member.name()}, member.value);
    for (const char* field : kKeptLists)
      if (const Value& list = fresh["metadata"][field]; !list.is_null())
        merged = merged.with_at({"metadata", field}, list);
    if (const Value& tasks = fresh["spec"]["tasks"]; !tasks.is_null())
      merged = merged.with_at({"spec", "tasks"}, tasks);
    std::vector<registry::Write> writes;
    append_update(writes, stored, merged);
    for (registry::Write& write : writes) write.only = only_of(home);
    return writes;
  });
}

Result<Value> GitPackages::store_changed(const Value& fresh) {
  return commit_with_retry(krm::object_key(fresh), [&]() -> Result<std::vector<registry::Write>> {
    PORTICO_TRY(const Value stored, registry_.get(krm::object_key(fresh)));
    std::vector<registry::Write> writes;
    append_update(writes, stored, refreshed(stored, fresh));
    return writes;
  });
}

}  // namespace portico::gitpackages
