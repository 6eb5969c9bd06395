#include "controllers/variant_execute.h"

#include "api/kinds.h"
#include "controllers/variant_request.h"
#include "json/text.h"

namespace portico::controllers {

using json::Value;

namespace {

krm::ObjectKey key_of(const variants::Revision& revision) {
  return packages::revision_key(revision.object->metadata.ns, revision.name());
}

// Writes the metadata that a decision changes into the stored object and leaves all other fields as
// stored. Checks the version that the decision was based on, unless `any_version`.
Result<Done> write_metadata(registry::Registry& registry, const krm::ObjectKey& key,
                            const api::PackageRevision& wanted, bool any_version) {
  PORTICO_TRY(const Value stored, registry.get(key));
  const Value metadata = api::encode(wanted)["metadata"];
  Value changed = stored;
  for (const char* field : {"labels", "annotations", "ownerReferences"})
    changed = metadata[field].is_null() ? changed.without_at({"metadata", field})
                                        : changed.with_at({"metadata", field}, metadata[field]);
  changed = any_version ? changed
                        : changed.with_at({"metadata", "resourceVersion"},
                                          wanted.metadata.resource_version);
  PORTICO_DO(registry.commit({{registry::Verb::kUpdate, changed}}));
  return Done{};
}

// Managed labels may have changed since the decision: the variant writes only the entries that it
// adds or removes.
api::PackageRevision as_stored_now(registry::Registry& registry,
                                   const variants::Revision& revision) {
  const auto stored = registry.get(key_of(revision));
  if (stored)
    if (auto decoded = api::decode<api::PackageRevision>(*stored)) return std::move(*decoded);
  return *revision.object;
}

api::MergeConflict as_status(const merge::Conflict& conflict) {
  constexpr std::size_t kLongest = 256;  // a conflict may be about whole resources
  return {conflict.file,
          merge::object_text(conflict.object),
          conflict.field,
          merge::value_text(conflict.base, kLongest),
          merge::value_text(conflict.ours, kLongest),
          merge::value_text(conflict.theirs, kLongest),
          conflict.took_theirs ? "theirs" : "ours",
          conflict.rule};
}

class Steps {
 public:
  Steps(const variants::VariantSnapshot& snapshot, const variants::Decision& decision,
        registry::Registry& registry, packages::PackageStore& packages, drafts::Drafts& drafts,
        const packages::Actor& actor)
      : snapshot_(snapshot),
        decision_(decision),
        registry_(registry),
        packages_(packages),
        drafts_(drafts),
        actor_(actor) {}

  std::optional<drafts::Drafted> take_drafted() { return std::move(drafted_); }

  Result<std::optional<variants::Built>> operator()(const variants::Clone& step) {
    return build(step.upstream, {});
  }
  Result<std::optional<variants::Built>> operator()(const variants::UpgradeNewDraft& step) {
    return build(step.upstream, step.base);
  }
  Result<std::optional<variants::Built>> operator()(const variants::EditNewDraft& step) {
    return build(step.upstream, step.base);
  }
  Result<std::optional<variants::Built>> operator()(const variants::UpgradeInPlace& step) {
    return build(step.upstream, step.draft);
  }
  Result<std::optional<variants::Built>> operator()(const variants::EditInPlace& step) {
    return build(step.upstream, step.draft);
  }
  Result<std::optional<variants::Built>> operator()(const variants::Propose& step) {
    PORTICO_DO(packages_.propose(key_of(step.draft), deciding_on(step.draft)));
    return nothing();
  }
  Result<std::optional<variants::Built>> operator()(const variants::Approve& step) {
    PORTICO_DO(packages_.approve(key_of(step.proposed), deciding_on(step.proposed)));
    return nothing();
  }
  Result<std::optional<variants::Built>> operator()(const variants::TakeBack& step) {
    PORTICO_DO(packages_.reject(key_of(step.proposed), deciding_on(step.proposed)));
    return nothing();
  }
  Result<std::optional<variants::Built>> operator()(const variants::Restore& step) {
    for (const variants::Revision& each : step.revisions) {
      PORTICO_DO(packages_.reject(key_of(each), actor_), "restore " + each.name());
      if (each.object->metadata.annotations.contains(std::string(api::kLetGoAnnotation)))
        PORTICO_DO(write_metadata(registry_, key_of(each),
                                  variants::restored(as_stored_now(registry_, each)), true),
                   "restore " + each.name());
    }
    return nothing();
  }
  Result<std::optional<variants::Built>> operator()(const variants::Rebase&) {
    PORTICO_TRY(drafted_, drafts_.draft(*request_of(snapshot_, decision_, actor_)));
    const drafts::Drafted& drafted = *drafted_;
    variants::Built out;  // from the same inputs as before
    const variants::Revision& draft = std::get<variants::Rebase>(decision_.step).draft;
    out.revision = draft.name();
    for (const api::DownstreamTarget& target : snapshot_.variant->status.downstream_targets)
      if (target.name == out.revision) out.inputs_hash = target.inputs_hash;
    out.render_status = drafted.built.render_status;
    out.injected = snapshot_.variant->status.injected;
    for (const merge::Conflict& conflict : drafted.built.conflicts)
      out.conflicts.push_back(as_status(conflict));
    if (drafted.removed) return nothing();
    return std::optional(std::move(out));
  }
  Result<std::optional<variants::Built>> operator()(const variants::DropDraft& step) {
    PORTICO_DO(packages_.remove(key_of(step.draft), actor_));
    return nothing();
  }
  Result<std::optional<variants::Built>> operator()(const variants::Adopt& step) {
    for (const variants::Revision& each : step.revisions)
      PORTICO_DO(write_metadata(registry_, key_of(each),
                                variants::adopted(*each.object, *snapshot_.variant), false),
                 "adopt " + each.name());
    return nothing();
  }
  Result<std::optional<variants::Built>> operator()(const variants::LetGo& step) {
    for (const auto& [revision, farewell] : step.revisions)
      PORTICO_DO(part_with(revision, farewell), revision.name());
    return nothing();
  }
  Result<std::optional<variants::Built>> operator()(const variants::DropFinalizer&) {
    const api::ObjectMeta& metadata = snapshot_.variant->metadata;
    PORTICO_TRY(const Value stored,
                registry_.get({{std::string(api::kConfigGroup), std::string(api::kVariantKind)},
                               metadata.ns,
                               metadata.name}));
    std::vector<std::string> finalizers = krm::finalizers_of(stored);
    std::erase(finalizers, api::kVariantFinalizer);
    PORTICO_DO(
        registry_.commit({{registry::Verb::kUpdate, krm::with_finalizers(stored, finalizers)}}));
    return nothing();
  }
  // These steps change only the status.
  Result<std::optional<variants::Built>> operator()(const variants::Keep&) { return nothing(); }
  Result<std::optional<variants::Built>> operator()(const variants::WaitForReview&) {
    return nothing();
  }
  Result<std::optional<variants::Built>> operator()(const variants::Stall&) { return nothing(); }
  Result<std::optional<variants::Built>> operator()(const variants::Suspended&) {
    return nothing();
  }

 private:
  static Result<std::optional<variants::Built>> nothing() {
    return std::optional<variants::Built>();
  }

  packages::Actor deciding_on(const variants::Revision& revision) const {
    packages::Actor out = actor_;
    out.decision = decision_text(decision_);
    out.decided_on = revision.object->metadata.resource_version;
    return out;
  }

  /// `same` is the revision that is already up to date if the build yields nothing new.
  Result<std::optional<variants::Built>> build(const variants::Revision& upstream,
                                               const std::optional<variants::Revision>& same) {
    const auto request = request_of(snapshot_, decision_, actor_);
    PORTICO_TRY(drafted_, drafts_.draft(*request));
    const drafts::Drafted& drafted = *drafted_;
    variants::Built out;
    if (drafted.removed) return nothing();
    if (!drafted.object.is_null()) {
      out.revision = std::string(krm::name_of(drafted.object));
    } else if (same) {
      out.revision = same->name();
      out.tree = same->tree;
    }
    for (const package::InjectionRecord& each : drafted.built.injected)
      out.injected.push_back({each.api_version, each.kind, each.name, each.uid});
    out.inputs_hash = variants::inputs_hash(*snapshot_.variant, upstream,
                                            injected_states(drafted.built.injected));
    out.render_status = drafted.built.render_status;
    for (const merge::Conflict& conflict : drafted.built.conflicts)
      out.conflicts.push_back(as_status(conflict));
    return std::optional(std::move(out));
  }

  Result<Done> part_with(const variants::Revision& revision, variants::Farewell farewell) {
    using variants::Farewell;
    const krm::ObjectKey key = key_of(revision);
    if (farewell == Farewell::kNone) return Done{};
    if (farewell == Farewell::kDelete) return packages_.remove(key, actor_);
    if (farewell != Farewell::kRelease) PORTICO_DO(packages_.propose_deletion(key, actor_));
    return write_metadata(
        registry_, key,
        variants::after_farewell(as_stored_now(registry_, revision), *snapshot_.variant, farewell),
        true);
  }

  const variants::VariantSnapshot& snapshot_;
  const variants::Decision& decision_;
  registry::Registry& registry_;
  packages::PackageStore& packages_;
  drafts::Drafts& drafts_;
  const packages::Actor& actor_;
  std::optional<drafts::Drafted> drafted_;
};

}  // namespace

Executed execute(const variants::VariantSnapshot& snapshot, variants::Decision decision,
                 registry::Registry& registry, packages::PackageStore& packages,
                 drafts::Drafts& drafts, const packages::Actor& actor) {
  Executed out{{std::move(decision), {}, {}}, {}};
  Steps steps(snapshot, out.outcome.decision, registry, packages, drafts, actor);
  auto done = std::visit(steps, out.outcome.decision.step);
  if (done)
    out.outcome.built = std::move(*done);
  else
    out.outcome.error = std::move(done).error();
  out.drafted = steps.take_drafted();
  return out;
}

}  // namespace portico::controllers
