#include "variants/decide.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "api/kinds.h"
#include "api/refusal.h"
#include "variants/approval.h"
#include "variants/naming.h"
#include "variants/suspension.h"
#include "variants/upstream.h"

namespace portico::variants {

namespace {

std::string shown(const Revision& revision) { return fmt::format("\"{}\"", revision.name()); }

/// "v3 (commit 1a2b3c4d)".
std::string version_text(const Revision& revision) {
  const auto& self = revision.object->status.self_lock;
  std::string text(ref_tail(revision));
  if (self && self->git && !self->git->commit.empty())
    text += fmt::format(" (commit {})", self->git->commit.substr(0, 8));
  return text;
}

Decision stall(std::string reason, std::string message) {
  std::string text = message;
  return {Stall{std::move(reason), std::move(message)}, std::move(text)};
}

Decision decide_deletion(const VariantSnapshot& snapshot) {
  const api::PackageVariant& variant = *snapshot.variant;
  // Without the Repository it is unknown what the variant owns there.
  const bool orphan = variant.spec.deletion_policy == api::kPolicyOrphan;
  if (const auto& targets = variant.status.downstream_targets; !orphan && !targets.empty()) {
    if (!snapshot.downstream_repository)
      return stall("RepositoryNotFound",
                   fmt::format("cannot be deleted: repository \"{}\" of {} is not registered; "
                               "register it again, or set deletionPolicy to orphan",
                               variant.spec.downstream ? variant.spec.downstream->repo : "",
                               targets.front().name));
    if (!snapshot.downstream_read)
      return stall("RepositoryNotReady",
                   fmt::format("cannot be deleted: repository \"{}\" has not been read yet",
                               variant.spec.downstream->repo));
  }
  LetGo let_go;
  for (const Revision& revision : snapshot.downstreams)
    if (api::owned_by(revision.object->metadata, variant.metadata.uid))
      let_go.revisions.emplace_back(revision, farewell(revision, variant));
  // Revisions that lost their owner reference with the metadata store still belong to the variant.
  const std::string self = variant.metadata.ns + "/" + variant.metadata.name;
  if (!orphan)
    for (const Revision& revision : sort_downstreams(variant, snapshot.downstreams).adoptable)
      if (revision.variant == self && !revision.is(krm::Lifecycle::kDeletionProposed))
        let_go.revisions.emplace_back(revision, farewell(revision, variant));
  if (let_go.revisions.empty())
    return {DropFinalizer{}, "being deleted; it owns no package revisions"};
  std::string reason =
      fmt::format("being deleted with deletionPolicy {}",
                  variant.spec.deletion_policy.empty() ? "delete" : variant.spec.deletion_policy);
  return {std::move(let_go), std::move(reason)};
}

class Decider {
 public:
  Decider(const VariantSnapshot& snapshot, Revision upstream)
      : snapshot_(snapshot),
        variant_(*snapshot.variant),
        upstream_(std::move(upstream)),
        hash_(inputs_hash(variant_, upstream_, snapshot.injected)),
        upstream_hash_(upstream_hash(upstream_)),
        downstreams_(sort_downstreams(variant_, snapshot.downstreams)) {}

  Decision run() const {
    if (auto decision = let_go()) return *std::move(decision);
    if (downstreams_.conflict) return somebody_elses(*downstreams_.conflict);
    if (!downstreams_.adoptable.empty()) {
      if (const auto* rival = comes_first(variant_, downstreams_, snapshot_.rivals))
        return after(*rival);
      std::string reason =
          fmt::format("{} matches the downstream", shown(downstreams_.adoptable.front()));
      if (const std::size_t more = downstreams_.adoptable.size() - 1; more > 0)
        reason += fmt::format(", and so {} {} more", more == 1 ? "does" : "do", more);
      return {Adopt{downstreams_.adoptable}, std::move(reason)};
    }
    if (downstreams_.none_owned()) return clone();
    if (!downstreams_.to_restore.empty()) {
      std::string reason =
          fmt::format("{} is proposed for deletion", shown(downstreams_.to_restore.front()));
      if (const std::size_t more = downstreams_.to_restore.size() - 1; more > 0)
        reason += fmt::format(", and so {} {} more", more == 1 ? "is" : "are", more);
      return {Restore{downstreams_.to_restore}, std::move(reason)};
    }
    if (!downstreams_.drafts.empty()) return drafts();
    if (!downstreams_.proposed.empty()) return proposed();
    return published();
  }

 private:
  std::optional<Decision> let_go() const {
    LetGo step;
    for (const Revision& stray : downstreams_.strays)
      if (const Farewell how = farewell(stray, variant_); how != Farewell::kNone)
        step.revisions.emplace_back(stray, how);
    if (step.revisions.empty()) return std::nullopt;
    std::string reason =
        fmt::format("{} does not belong to {}/{}", shown(step.revisions.front().first),
                    variant_.spec.downstream->repo, variant_.spec.downstream->package);
    return Decision{std::move(step), std::move(reason)};
  }

  static Decision somebody_elses(const Revision& revision) {
    const krm::OwnerReference* owner = api::controller_of(revision.object->metadata);
    return stall("Conflict", fmt::format("{} is controlled by {} \"{}\"", shown(revision),
                                         owner->kind, owner->name));
  }

  Decision after(const api::PackageVariant& rival) const {
    return stall(
        "Conflict",
        fmt::format("{}/{} belongs to PackageVariant \"{}\"; change spec.downstream of one of "
                    "the two, or delete one",
                    variant_.spec.downstream->repo, variant_.spec.downstream->package,
                    rival.metadata.name));
  }

  Decision clone() const {
    const api::Downstream& downstream = *variant_.spec.downstream;
    if (downstreams_.taken) return somebody_elses(*downstreams_.taken);
    if (downstreams_.package_exists)
      return stall(
          "Conflict",
          fmt::format("package \"{}\" already exists in repository \"{}\" and does not belong to "
                      "this PackageVariant; set adoptionPolicy to adoptExisting to adopt it",
                      downstream.package, downstream.repo));
    if (const auto* rival = comes_first(variant_, downstreams_, snapshot_.rivals))
      return after(*rival);
    return {Clone{upstream_, workspace()},
            fmt::format("{}/{} does not exist", downstream.repo, downstream.package)};
  }

  /// Why `revision` differs from what the inputs yield; nullopt if it does not, as far as that is
  /// known without building.
  std::optional<std::string> behind(const Revision& revision) const {
    if (recorded_hash(revision) == hash_ || pinned(revision)) return std::nullopt;
    const auto& lock = revision.object->status.upstream_lock;
    if (!out_of_date(lock ? &*lock : nullptr, upstream_, *variant_.spec.upstream))
      return std::nullopt;
    return fmt::format("{} is based on {}, the upstream is {}", shown(revision),
                       lock->git->ref.empty() ? lock->git->commit : lock->git->ref,
                       version_text(upstream_));
  }

  std::optional<std::string> unbuilt(const Revision& revision) const {
    const std::string_view recorded = recorded_hash(revision);
    if (recorded == hash_ || pinned(revision)) return std::nullopt;
    if (recorded.empty())
      return fmt::format("unknown whether {} has the mutations", shown(revision));
    return fmt::format("the inputs changed since {} was built", shown(revision));
  }

  /// A user rolled back to this content, and the upstream has not changed since. If the rollback
  /// went to a version made from this same upstream, the other inputs must be unchanged, too.
  bool pinned(const Revision& revision) const {
    const auto& pin = revision.object->status.pin;
    if (!pin || pin->upstream != upstream_hash_) return false;
    const auto& lock = revision.object->status.upstream_lock;
    return pin->inputs == hash_ ||
           out_of_date(lock ? &*lock : nullptr, upstream_, *variant_.spec.upstream);
  }

  std::string_view recorded_hash(const Revision& revision) const {
    for (const api::DownstreamTarget& target : variant_.status.downstream_targets)
      if (target.name == revision.name() && !target.inputs_hash.empty()) return target.inputs_hash;
    const auto& unchanged = variant_.status.unchanged;
    if (unchanged && unchanged->name == revision.name() && unchanged->tree == revision.tree)
      return unchanged->inputs_hash;
    const auto& pristine = revision.object->status.pristine;
    return pristine ? std::string_view(pristine->inputs) : std::string_view();
  }

  /// The content published since the draft was started; nullopt if its base is still current, or if
  /// that is unknown.
  std::optional<Revision> moved_base(const Revision& draft) const {
    auto current = downstreams_.current();
    const auto& base = draft.object->status.base;
    if (!current || current->tree.empty() || !base || base->tree == current->tree)
      return std::nullopt;
    return current;
  }

  static std::string moved_text(const Revision& draft, const Revision& onto) {
    return fmt::format("{} is not based on {}, which is published now", shown(draft), shown(onto));
  }

  Decision drafts() const {
    for (const Revision& draft : downstreams_.drafts) {
      const auto current = downstreams_.current();
      if (current && own_work(variant_, draft) && draft.tree == current->tree)
        return {DropDraft{draft},
                fmt::format("{} has the same content as {}", shown(draft), shown(*current))};
      if (const auto onto = moved_base(draft))
        return {Rebase{draft, *onto}, moved_text(draft, *onto)};
      if (auto why = behind(draft)) return {UpgradeInPlace{upstream_, draft}, *std::move(why)};
      if (auto why = unbuilt(draft)) return {EditInPlace{upstream_, draft}, *std::move(why)};
    }
    return by_policy();
  }

  /// What the policy does without a user. Only one proposal at a time, because each published one
  /// makes the others outdated.
  Decision by_policy() const {
    Decision out = keep();
    const std::string told = downstreams_.targets().front().name();
    const auto consider = [&](const Revision& one, Stage stage) {
      const bool propose = stage == Stage::kPropose;
      const auto says = verdict(snapshot_, one, stage);
      if (!says) return false;
      const std::string it = one.name() == told ? "it" : shown(one);
      if (const auto onto = moved_base(one); onto && !propose && proposed_by_policy(one)) {
        out = {TakeBack{one}, moved_text(one, *onto)};
        return true;
      } else if (onto) {
        out.reason += fmt::format("; {} is not approved: its base is outdated", it);
      } else if (says->now) {
        out = {propose ? Step(Propose{one}) : Step(Approve{one}),
               fmt::format("{}: {}", shown(one), says->why)};
        return true;
      } else if (says->later) {
        out.reason +=
            fmt::format("; {} will be {} at {}: {}", it, propose ? "proposed" : "approved",
                        rfc3339(*says->later), says->why);
        if (!out.next || *says->later < *out.next) out.next = says->later;
      } else {
        out.reason +=
            fmt::format("; {} is not {}: {}", it, propose ? "proposed" : "approved", says->why);
      }
      return false;
    };
    for (const Revision& one : downstreams_.proposed)
      if (consider(one, Stage::kApprove)) return out;
    if (downstreams_.proposed.empty())
      for (const Revision& one : downstreams_.drafts)
        if (consider(one, Stage::kPropose)) return out;
    return out;
  }

  static bool proposed_by_policy(const Revision& revision) {
    const auto& proposal = revision.object->status.proposal;
    return proposal && !proposal->decision.empty();
  }

  Decision proposed() const {
    Decision policy = by_policy();
    if (!std::holds_alternative<Keep>(policy.step)) return policy;
    for (const Revision& one : downstreams_.proposed) {
      auto why = behind(one);
      if (!why && !recorded_hash(one).empty()) why = unbuilt(one);
      if (const auto onto = moved_base(one); onto && !why) why = moved_text(one, *onto);
      if (why)
        return {WaitForReview{one}, fmt::format("{}, but {} is proposed", *why, shown(one)),
                policy.next};
    }
    return policy;
  }

  Decision published() const {
    const Revision base = *downstreams_.current();
    if (auto why = behind(base))
      return {UpgradeNewDraft{upstream_, base, workspace()}, *std::move(why)};
    if (auto why = unbuilt(base))
      return {EditNewDraft{upstream_, base, workspace()}, *std::move(why)};
    return keep();
  }

  Decision keep() const {
    const Revision target = downstreams_.targets().front();
    if (pinned(target))
      return {Keep{},
              fmt::format("{} was rolled back to {} and is kept until the upstream changes from {}",
                          shown(target), target.object->status.pin->to, version_text(upstream_))};
    return {Keep{},
            fmt::format("{} is up to date with {}", shown(target), version_text(upstream_))};
  }

  std::string workspace() const {
    return next_workspace_name(snapshot_.downstreams,
                               {variant_.spec.downstream->repo, variant_.spec.downstream->package});
  }

  const VariantSnapshot& snapshot_;
  const api::PackageVariant& variant_;
  Revision upstream_;
  std::string hash_, upstream_hash_;
  Downstreams downstreams_;
};

}  // namespace

const char* name(const Step& step) {
  static constexpr const char* kNames[] = {
      "Keep",    "Clone",     "UpgradeNewDraft", "UpgradeInPlace", "EditNewDraft", "EditInPlace",
      "Rebase",  "DropDraft", "WaitForReview",   "Propose",        "Approve",      "TakeBack",
      "Restore", "Adopt",     "LetGo",           "DropFinalizer",  "Stall",        "Suspended"};
  static_assert(std::size(kNames) == std::variant_size_v<Step>);
  return kNames[step.index()];
}

bool ends(const Step& step) {
  return std::holds_alternative<Keep>(step) || std::holds_alternative<WaitForReview>(step) ||
         std::holds_alternative<Stall>(step) || std::holds_alternative<DropFinalizer>(step) ||
         std::holds_alternative<Suspended>(step);
}

Decision decide(const VariantSnapshot& snapshot) {
  const api::PackageVariant& variant = *snapshot.variant;
  if (snapshot.downstream_suspended)
    return {Suspended{},
            fmt::format("repository \"{}\" is suspended: it is not changed until it is resumed",
                        variant.spec.downstream ? variant.spec.downstream->repo : "")};
  if (variant.metadata.deleting()) return decide_deletion(snapshot);
  if (is_suspended(variant.metadata.annotations))
    return {Suspended{}, "suspended: not reconciled until it is resumed"};
  if (const auto errors = api::validate(variant.spec); !errors.empty())
    return stall("ValidationError", api::text_of(errors));
  auto upstream = resolve_upstream(*variant.spec.upstream, snapshot.upstreams);
  if (!upstream)
    return stall(upstream.error().code == Code::kNotFound ? "UpstreamNotFound" : "ValidationError",
                 upstream.error().text());
  if (!snapshot.downstream_repository)
    return stall("RepositoryNotFound",
                 fmt::format("could not find repository \"{}\" of spec.downstream",
                             variant.spec.downstream->repo));
  if (!snapshot.downstream_read)
    return stall("RepositoryNotReady", fmt::format("repository \"{}\" has not been read yet",
                                                   variant.spec.downstream->repo));
  return Decider(snapshot, *std::move(upstream)).run();
}

api::PackageRevision new_draft(const api::PackageVariant& variant, const Step& step) {
  api::PackageRevision draft;
  draft.metadata.ns = variant.metadata.ns;
  api::Task task;
  if (const auto* clone = std::get_if<Clone>(&step)) {
    draft.spec.workspace_name = clone->workspace;
    task.type = "clone";
    task.clone.emplace().upstream.upstream_ref = api::RevisionRef{clone->upstream.name()};
  } else if (const auto* upgrade = std::get_if<UpgradeNewDraft>(&step)) {
    draft.spec.workspace_name = upgrade->workspace;
    task.type = "upgrade";
    task.upgrade = api::UpgradeTask{
        {}, {upgrade->upstream.name()}, {upgrade->base.name()}, variant.spec.upgrade_strategy};
  } else if (const auto* edit = std::get_if<EditNewDraft>(&step)) {
    draft.spec.workspace_name = edit->workspace;
    task.type = "edit";
    task.edit = api::EditTask{api::RevisionRef{edit->base.name()}};
  }
  draft.spec.tasks = {std::move(task)};
  draft.spec.lifecycle = krm::name(krm::Lifecycle::kDraft);
  if (variant.spec.downstream) {
    draft.spec.repository = variant.spec.downstream->repo;
    draft.spec.package_name = variant.spec.downstream->package;
  }
  return adopted(std::move(draft), variant);
}

}  // namespace portico::variants
