#include "api/package_revision.h"
#include "json/text.h"
#include "repo/names.h"
#include "revisions/internal/embedded_revisions.h"
#include "revisions/internal/stopwatch.h"
#include "revisions/lineage.h"
#include "revisions/sync_plan.h"

namespace portico::revisions {

using json::Value;

std::unique_ptr<Revisions> make_embedded(const EmbeddedOptions& options) {
  return std::make_unique<EmbeddedRevisions>(options);
}

namespace {

// Porch's words, which people grep for.
const char* subject_of(const Source& source) {
  struct Subjects {
    const char* operator()(const InitSource&) { return "Creating new empty revision"; }
    const char* operator()(const CloneSource&) { return "Creating new revision by cloning"; }
    const char* operator()(const CopySource&) {
      return "Creating new revision by copying previous revision";
    }
    const char* operator()(const UpgradeSource&) { return "Upgrading revision"; }
    const char* operator()(const ReplaceSource&) { return "Intermediate commit: push"; }
    const char* operator()(const SameSource&) { return "Rendering package"; }
  };
  return std::visit(Subjects(), source);
}

Value task_of(const Source& source, const std::string& strategy) {
  const auto ref = [](const std::string& name) { return Value::object({{"name", name}}); };
  struct Tasks {
    const decltype(ref)& named;
    const std::string& strategy;
    Value operator()(const InitSource& init) {
      std::vector<json::Member> members;
      if (!init.description.empty()) members.push_back({"description", init.description});
      if (!init.site.empty()) members.push_back({"site", init.site});
      if (!init.keywords.empty())
        members.push_back({"keywords", Value::array({init.keywords.begin(), init.keywords.end()})});
      return Value::object({{"type", "init"}, {"init", Value::object(std::move(members))}});
    }
    Value operator()(const CloneSource& clone) {
      return Value::object(
          {{"type", "clone"},
           {"clone", Value::object({{"upstreamRef",
                                     Value::object({{"upstreamRef", named(clone.upstream)}})}})}});
    }
    Value operator()(const CopySource& copy) {
      return Value::object(
          {{"type", "edit"}, {"edit", Value::object({{"sourceRef", named(copy.source)}})}});
    }
    Value operator()(const UpgradeSource& upgrade) {
      std::vector<json::Member> members{{"newUpstreamRef", named(upgrade.new_upstream)},
                                        {"localPackageRevisionRef", named(upgrade.local)}};
      if (!upgrade.old_upstream.empty())
        members.push_back({"oldUpstreamRef", named(upgrade.old_upstream)});
      if (!strategy.empty()) members.push_back({"strategy", strategy});
      return Value::object({{"type", "upgrade"}, {"upgrade", Value::object(std::move(members))}});
    }
    Value operator()(const ReplaceSource&) { return Value(); }
    Value operator()(const SameSource&) { return Value(); }
  };
  return std::visit(Tasks{ref, strategy}, source);
}

// A version of one package is not made from another package: that is a clone.
Result<Done> check_same_package(const Value& source, const DraftRequest& request) {
  const std::string_view repository = source["spec"]["repository"].as_string(),
                         package = source["spec"]["packageName"].as_string();
  if (repository == request.repository && package == request.package) return Done{};
  return invalid("{} is a revision of package \"{}\" in repository \"{}\", not of \"{}\" in \"{}\"",
                 krm::name_of(source), package, repository, request.package, request.repository);
}

bool is_published(const Value& revision) {
  const std::string_view lifecycle = revision["spec"]["lifecycle"].as_string();
  return lifecycle == api::kPublished || lifecycle == api::kDeletionProposed;
}

std::string conflicts_text(const std::vector<merge::Conflict>& conflicts) {
  if (conflicts.empty()) return "";
  std::string out = "Merge conflicts:\n";
  for (const merge::Conflict& conflict : conflicts)
    out += "- " + merge::conflict_text(conflict) + "\n";
  return out;
}

}  // namespace

Result<Done> EmbeddedRevisions::check_new(const DraftRequest& request) {
  PORTICO_DO(repo::check_package_path(request.package), "package");
  PORTICO_DO(repo::check_workspace(request.workspace), "workspaceName");
  PORTICO_DO(repo::check_object_name(request.repository, request.package, request.workspace));
  PORTICO_TRY(const auto home, repositories_.open(request.ns, request.repository));
  if (request.workspace == home.home.branch)
    return invalid("workspaceName \"{}\" stands for the head of the branch; choose another one",
                   request.workspace);
  PORTICO_TRY(const auto existing,
              revisions_of(registry_, request.ns, request.repository, request.package));
  for (const Value& other : existing)
    if (other["spec"]["workspaceName"].as_string() == request.workspace)
      return invalid(
          "package revision workspaceNames must be unique; package revision with name {} in repo "
          "{} with workspaceName {} already exists",
          request.package, request.repository, request.workspace);
  if (const auto* copy = std::get_if<CopySource>(&request.source)) {
    PORTICO_TRY(const Value source, named(request.ns, copy->source), "source");
    PORTICO_DO(check_same_package(source, request), "source");
    if (source["spec"]["revision"].as_int() == -1)
      return invalid(
          "source: {} is a placeholder package revision, for what the branch holds; copy "
          "a published revision",
          copy->source);
    if (source["spec"]["lifecycle"].as_string() == api::kDraft ||
        source["spec"]["lifecycle"].as_string() == api::kProposed)
      return invalid("source: {} is {}; only a published package revision can be copied",
                     copy->source, source["spec"]["lifecycle"].as_string());
  }
  if (const auto* upgrade = std::get_if<UpgradeSource>(&request.source)) {
    PORTICO_TRY(const Value local, named(request.ns, upgrade->local), "local");
    PORTICO_DO(check_same_package(local, request), "local");
    for (const auto& [place, name] :
         {std::pair("old upstream", upgrade->old_upstream),
          std::pair("new upstream", upgrade->new_upstream), std::pair("local", upgrade->local)}) {
      if (name.empty()) continue;  // the old upstream is found by the lock
      PORTICO_TRY(const Value source, named(request.ns, name), place);
      if (!is_published(source))
        return invalid("{} is {}; the sources of an upgrade must be published", name,
                       source["spec"]["lifecycle"].as_string())
            .in(place);
    }
  }
  if (!existing.empty() && std::holds_alternative<InitSource>(request.source))
    return invalid("package \"{}\" already exists in repository \"{}\"", request.package,
                   request.repository);
  if (!existing.empty() && std::holds_alternative<CloneSource>(request.source))
    return invalid(
        "`clone` cannot create a new revision for package \"{}\" that already exists in repo "
        "\"{}\"; make subsequent revisions using `copy`",
        request.package, request.repository);
  // A new version of a package does not nest it any deeper.
  if (!existing.empty()) return Done{};
  for (std::size_t slash = request.package.find('/'); slash != std::string::npos;
       slash = request.package.find('/', slash + 1)) {
    const std::string parent = request.package.substr(0, slash);
    PORTICO_TRY(const auto above, revisions_of(registry_, request.ns, request.repository, parent));
    if (!above.empty())
      return invalid(
          "package path \"{}\" conflicts with existing package \"{}\": packages cannot be nested",
          request.package, parent);
  }
  return Done{};
}

Result<Drafted> EmbeddedRevisions::draft(const DraftRequest& request) {
  const bool in_place = !request.draft.empty();
  Value stored;
  repo::Revision before;
  if (in_place) {
    PORTICO_TRY(stored, named(request.ns, request.draft));
    PORTICO_TRY(before, to_revision(stored));
    if (before.lifecycle != repo::Lifecycle::kDraft)
      return invalid(
          "cannot update a package revision with lifecycle value \"{}\"; package must be Draft",
          name(before.lifecycle));
    const std::string_view version = stored["metadata"]["resourceVersion"].as_string();
    if (!request.resource_version.empty() && version != request.resource_version)
      return conflict("{} has changed since it was read (resourceVersion {}, now {})",
                      request.draft, request.resource_version, version);
  } else {
    PORTICO_DO(check_new(request));
  }

  Drafted out;
  Stopwatch watch;
  PORTICO_TRY(out.built, build(request));
  out.times.render = out.built.render_time;
  out.times.build = watch.lap() - out.times.render;
  if (!out.built.changed && request.only_if_changed) return out;

  PORTICO_TRY(const auto home, repositories_.open(request.ns, request.repository));
  repo::DraftWrite write;
  write.package = request.package;
  write.workspace = request.workspace;
  write.content = out.built.content;
  write.expected_commit = before.commit;
  if (!in_place) {
    PORTICO_TRY(write.parent_commit, parent_of(request));
  }
  const Value task = task_of(request.source, request.strategy);
  write.message = {subject_of(request.source), conflicts_text(out.built.conflicts),
                   task.is_null() ? "" : json::print(task), request.variant, request.variant_set};
  write.author = signature(request.actor);
  PORTICO_TRY(const repo::Revision saved, heard(home.git->save_draft(write), home.home));
  out.times.commit = watch.lap();

  Value fresh = to_object(home.home, saved, home.git->lock_of(saved),
                          kptfile_facts(out.built.content), false);
  if (in_place) {
    PORTICO_TRY(out.object, store_changed(fresh));
    out.times.store = watch.lap();
    return out;
  }
  for (const char* field : {"labels", "annotations"})
    for (const json::Member& member : request.object["metadata"][field].members())
      fresh = fresh.with_at({"metadata", field, member.name()}, member.value);
  if (const Value& owners = request.object["metadata"]["ownerReferences"]; owners.size() > 0)
    fresh = fresh.with_at({"metadata", "ownerReferences"}, owners);
  if (const Value& tasks = request.object["spec"]["tasks"]; tasks.size() > 0)
    fresh = fresh.with_at({"spec", "tasks"}, tasks);
  else if (!task.is_null())
    fresh = fresh.with_at({"spec", "tasks"}, Value::array({task}));
  PORTICO_TRY(out.object, store_new(fresh));
  out.times.store = watch.lap();
  return out;
}

Result<std::string> EmbeddedRevisions::parent_of(const DraftRequest& request) {
  std::string base;
  if (const auto* copy = std::get_if<CopySource>(&request.source)) base = copy->source;
  if (const auto* upgrade = std::get_if<UpgradeSource>(&request.source)) base = upgrade->local;
  if (base.empty()) return std::string();
  PORTICO_TRY(const Value object, named(request.ns, base));
  return std::string(object["status"]["selfLock"]["git"]["commit"].as_string());
}

Result<Value> EmbeddedRevisions::store_new(const Value& fresh) {
  auto created = registry_.commit({{registry::Verb::kCreate, fresh}});
  if (created) return (*created)[0];
  if (created.error().code != Code::kConflict) return std::move(created).error();
  // A sync has seen the branch before this did: its object gets what only this one knows.
  return follow(krm::object_key(fresh), [&]() -> Result<std::vector<registry::Write>> {
    PORTICO_TRY(const Value stored, registry_.get(krm::object_key(fresh)));
    Value merged = refreshed(stored, fresh);
    for (const char* field : {"labels", "annotations"})
      for (const json::Member& member : fresh["metadata"][field].members())
        merged = merged.with_at({"metadata", field, member.name()}, member.value);
    if (const Value& owners = fresh["metadata"]["ownerReferences"]; !owners.is_null())
      merged = merged.with_at({"metadata", "ownerReferences"}, owners);
    if (const Value& tasks = fresh["spec"]["tasks"]; !tasks.is_null())
      merged = merged.with_at({"spec", "tasks"}, tasks);
    std::vector<registry::Write> writes;
    append_update(writes, stored, merged);
    return writes;
  });
}

Result<Value> EmbeddedRevisions::store_changed(const Value& fresh) {
  return follow(krm::object_key(fresh), [&]() -> Result<std::vector<registry::Write>> {
    PORTICO_TRY(const Value stored, registry_.get(krm::object_key(fresh)));
    std::vector<registry::Write> writes;
    append_update(writes, stored, refreshed(stored, fresh));
    return writes;
  });
}

}  // namespace portico::revisions
