#include "api/package_revision.h"
#include "base/tracer.h"
#include "drafts/internal/drafts_impl.h"
#include "drafts/internal/stopwatch.h"
#include "packages/home.h"
#include "packages/lineage.h"
#include "packages/names.h"

namespace portico::drafts {

using json::Value;

std::unique_ptr<Drafts> make_drafts(const registry::Registry& registry,
                                    packages::PackageStore& packages,
                                    const render::FunctionRunner& runner) {
  return std::make_unique<DraftsImpl>(registry, packages, runner);
}

namespace {

// Porch's commit subjects, which users search for.
std::string subject_of(const Source& source) {
  struct Subjects {
    std::string operator()(const InitSource&) { return "Creating new empty revision"; }
    std::string operator()(const CloneSource&) { return "Creating new revision by cloning"; }
    std::string operator()(const CopySource&) {
      return "Creating new revision by copying previous revision";
    }
    std::string operator()(const UpgradeSource&) { return "Upgrading revision"; }
    std::string operator()(const ReplaceSource&) { return "Intermediate commit: push"; }
    std::string operator()(const VariantSource& variant) {
      if (variant.local.empty()) return "Creating new revision by cloning";
      return variant.upgrade ? "Upgrading revision" : "Rebuilding after changed inputs";
    }
    std::string operator()(const RebaseSource&) { return "Rebasing revision"; }
    std::string operator()(const OriginSource&) { return "Setting the upstream revision"; }
    std::string operator()(const RollbackSource& rollback) {
      return fmt::format("Rolling back to v{}", rollback.version);
    }
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
    Value operator()(const VariantSource& variant) {
      if (variant.local.empty()) return (*this)(CloneSource{variant.upstream});
      if (variant.upgrade) return (*this)(UpgradeSource{"", variant.upstream, variant.local});
      return (*this)(CopySource{variant.local});
    }
    Value operator()(const RebaseSource&) { return Value(); }
    Value operator()(const OriginSource& origin) { return (*this)(CopySource{origin.source}); }
    Value operator()(const RollbackSource& rollback) {
      return (*this)(CopySource{rollback.source});
    }
  };
  return std::visit(Tasks{ref, strategy}, source);
}

// A new revision must come from the same package; from another one it is a clone.
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

bool is_first(const Source& source) {
  const auto* variant = std::get_if<VariantSource>(&source);
  return variant != nullptr && variant->local.empty();
}

// The published revision whose content is copied to a new draft; "" for none.
std::string copied_name(const Source& source) {
  if (const auto* copy = std::get_if<CopySource>(&source)) return copy->source;
  if (const auto* origin = std::get_if<OriginSource>(&source)) return origin->source;
  if (const auto* rollback = std::get_if<RollbackSource>(&source)) return rollback->source;
  return "";
}

// The revision that a new draft starts from; "" for the branch head.
std::string base_name(const Source& source) {
  if (const auto* upgrade = std::get_if<UpgradeSource>(&source)) return upgrade->local;
  if (const auto* variant = std::get_if<VariantSource>(&source)) return variant->local;
  return copied_name(source);
}

std::string conflicts_text(const std::vector<merge::Conflict>& conflicts) {
  if (conflicts.empty()) return "";
  std::string out = "Merge conflicts:\n";
  for (const merge::Conflict& conflict : conflicts)
    out += "- " + merge::conflict_text(conflict) + "\n";
  return out;
}

}  // namespace

Result<Value> DraftsImpl::by_name(const std::string& ns, const std::string& name) const {
  return registry_.get(packages::revision_key(ns, name));
}

Result<Done> DraftsImpl::check_new(const DraftRequest& request) const {
  PORTICO_DO(packages::check_workspace(request.workspace), "workspaceName");
  PORTICO_DO(packages::check_object_name(request.repository, request.package, request.workspace));
  PORTICO_TRY(const packages::Home home,
              packages::home_of(registry_, request.ns, request.repository));
  if (request.workspace == home.branch)
    return invalid(
        "workspaceName \"{}\" is reserved for the head of the branch; choose another one",
        request.workspace);
  PORTICO_TRY(const auto existing,
              packages::revisions_of(registry_, request.ns, request.repository, request.package));
  for (const Value& other : existing)
    if (other["spec"]["workspaceName"].as_string() == request.workspace)
      return invalid(
          "package revision workspaceNames must be unique; package revision with name {} in repo "
          "{} with workspaceName {} already exists",
          request.package, request.repository, request.workspace);
  if (const std::string copied = copied_name(request.source); !copied.empty()) {
    PORTICO_TRY(const Value source, by_name(request.ns, copied), "source");
    PORTICO_DO(check_same_package(source, request), "source");
    if (source["spec"]["revision"].as_int() == -1)
      return invalid(
          "source: {} is a placeholder package revision, for the content of the branch; copy a "
          "published revision",
          copied);
    if (source["spec"]["lifecycle"].as_string() == api::kDraft ||
        source["spec"]["lifecycle"].as_string() == api::kProposed)
      return invalid("source: {} is {}; only a published package revision can be copied", copied,
                     source["spec"]["lifecycle"].as_string());
  }
  if (const auto* upgrade = std::get_if<UpgradeSource>(&request.source)) {
    PORTICO_TRY(const Value local, by_name(request.ns, upgrade->local), "local");
    PORTICO_DO(check_same_package(local, request), "local");
    for (const auto& [place, name] :
         {std::pair("old upstream", upgrade->old_upstream),
          std::pair("new upstream", upgrade->new_upstream), std::pair("local", upgrade->local)}) {
      if (name.empty()) continue;  // found through the upstreamLock
      PORTICO_TRY(const Value source, by_name(request.ns, name), place);
      if (!is_published(source))
        return invalid("{} is {}; the sources of an upgrade must be published", name,
                       source["spec"]["lifecycle"].as_string())
            .in(place);
    }
  }
  if (!existing.empty() && std::holds_alternative<InitSource>(request.source))
    return invalid("package \"{}\" already exists in repository \"{}\"", request.package,
                   request.repository);
  if (!existing.empty() &&
      (std::holds_alternative<CloneSource>(request.source) ||
       std::holds_alternative<ReplaceSource>(request.source) || is_first(request.source)))
    return invalid(
        "`clone` cannot create a new revision for package \"{}\" that already exists in repo "
        "\"{}\"; make subsequent revisions using `copy`",
        request.package, request.repository);
  // A new revision of an existing package does not change the nesting.
  if (!existing.empty()) return Done{};
  for (std::size_t slash = request.package.find('/'); slash != std::string::npos;
       slash = request.package.find('/', slash + 1)) {
    const std::string parent = request.package.substr(0, slash);
    PORTICO_TRY(const auto above,
                packages::revisions_of(registry_, request.ns, request.repository, parent));
    if (!above.empty())
      return invalid(
          "package path \"{}\" conflicts with existing package \"{}\": packages cannot be nested",
          request.package, parent);
  }
  return Done{};
}

Result<Drafted> DraftsImpl::draft(const DraftRequest& request) {
  return traced("draft", [&](Span& span) {
    span.set("portico.namespace", request.ns);
    span.set("portico.repository", request.repository);
    span.set("portico.package", request.package);
    span.set("portico.workspace", request.workspace);
    auto drafted = draft_now(request);
    if (span && drafted) {
      span.set("portico.conflicts", static_cast<std::int64_t>(drafted->built.conflicts.size()));
      span.set("portico.revision", drafted->object.is_null() ? "" : krm::name_of(drafted->object));
    }
    return drafted;
  });
}

Result<Drafted> DraftsImpl::draft_now(const DraftRequest& request) {
  packages::SaveRequest save;
  if (!request.draft.empty()) {
    PORTICO_TRY(save.draft, by_name(request.ns, request.draft));
    if (const std::string_view lifecycle = save.draft["spec"]["lifecycle"].as_string();
        lifecycle != api::kDraft)
      return invalid(
          "cannot update a package revision with lifecycle value \"{}\"; package must be Draft",
          lifecycle);
    const std::string_view version = save.draft["metadata"]["resourceVersion"].as_string();
    if (!request.resource_version.empty() && version != request.resource_version)
      return conflict("{} has been modified since it was read (resourceVersion {}, now {})",
                      request.draft, request.resource_version, version);
  } else {
    PORTICO_DO(check_new(request));
  }

  // Rejects invalid metadata before anything is written.
  if (!request.object.is_null())
    PORTICO_DO(krm::validate_metadata(request.object.with_at({"metadata", "name"}, "draft")));

  Drafted out;
  Stopwatch watch;
  PORTICO_TRY(out.built, traced("build", [&](Span&) { return make(request, false); }));
  out.times.render = out.built.render_time;
  out.times.build = watch.lap() - out.times.render;
  if (request.dry_run) return out;
  if (out.built.same_as_published && !request.draft.empty()) {
    PORTICO_DO(packages_.remove(packages::revision_key(request.ns, request.draft), request.actor));
    out.removed = true;
    return out;
  }
  if (!out.built.changed && request.only_if_changed) return out;

  save.ns = request.ns;
  save.repository = request.repository;
  save.package = request.package;
  save.workspace = request.workspace;
  if (const std::string base = base_name(request.source); request.draft.empty() && !base.empty()) {
    PORTICO_TRY(save.base, by_name(request.ns, base));
  }
  if (const auto* rebase = std::get_if<RebaseSource>(&request.source)) {
    PORTICO_TRY(save.onto, by_name(request.ns, rebase->onto));
  }
  if (const auto* rollback = std::get_if<RollbackSource>(&request.source)) {
    PORTICO_TRY(save.onto, by_name(request.ns, rollback->onto));
    if (rollback->pin)
      save.pin = Value::object({{"upstream", rollback->pin->upstream},
                                {"inputs", rollback->pin->inputs},
                                {"to", rollback->pin->to}});
  }
  save.content = out.built.content;
  save.pristine = out.built.pristine;
  save.inputs = out.built.inputs;
  save.object = request.object;
  save.subject = subject_of(request.source);
  // A new package from the caller's own files counts as a clone of what the caller read elsewhere.
  if (request.draft.empty() && std::holds_alternative<ReplaceSource>(request.source))
    save.subject = subject_of(CloneSource{});
  save.body = conflicts_text(out.built.conflicts);
  save.task = task_of(request.source, request.strategy);
  if (save.task.is_null() && request.draft.empty())
    save.task = request.object["spec"]["tasks"][std::size_t{0}];
  save.variant = request.variant;
  save.variant_set = request.variant_set;
  save.actor = request.actor;
  PORTICO_TRY(out.object, traced("save", [&](Span&) { return packages_.save(save); }));
  out.times.save = watch.lap();
  return out;
}

}  // namespace portico::drafts
