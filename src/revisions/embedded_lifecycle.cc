#include <algorithm>

#include "base/time.h"
#include "revisions/internal/embedded_revisions.h"
#include "revisions/lineage.h"
#include "revisions/sync_plan.h"

namespace portico::revisions {

using json::Value;

namespace {

bool is_latest(const Value& object) {
  return object["metadata"]["labels"].contains(api::kLatestRevisionLabel);
}

}  // namespace

Result<Value> EmbeddedRevisions::named(const std::string& ns, const std::string& name) const {
  return registry_.get(revision_key(ns, name));
}

Result<EmbeddedRevisions::Located> EmbeddedRevisions::locate(const krm::ObjectKey& key) {
  Located out;
  PORTICO_TRY(out.object, registry_.get(key));
  PORTICO_TRY(out.revision, to_revision(out.object));
  PORTICO_TRY(out.home, repositories_.open(
                            key.ns, std::string(out.object["spec"]["repository"].as_string())));
  return out;
}

Result<std::vector<Value>> EmbeddedRevisions::siblings(const Located& one) const {
  return revisions_of(registry_, one.home.home.ns, one.home.home.repository, one.revision.package);
}

repo::Signature EmbeddedRevisions::signature(const Actor& actor) const {
  return {actor.name, actor.email, std::chrono::floor<std::chrono::seconds>(clock_.now())};
}

Result<Value> EmbeddedRevisions::moved(const Located& located, const repo::Revision& now,
                                       const Actor* published_by) {
  KptfileFacts facts;
  facts.upstream_lock = located.object["status"]["upstreamLock"];
  facts.conditions = located.object["status"]["conditions"];
  facts.readiness_gates = located.object["spec"]["readinessGates"];
  facts.package_metadata = located.object["spec"]["packageMetadata"];
  const Value fresh = to_object(located.home.home, now, located.home.git->lock_of(now), facts,
                                is_latest(located.object) || published_by != nullptr);
  Value after = refreshed(located.object, fresh);
  if (published_by != nullptr)
    after = after.with_at({"status", "publishedBy"}, published_by->name)
                .with_at({"status", "publishTimestamp"}, rfc3339(clock_.now()));

  // Git has moved already: what others wrote to the object meanwhile (labels, owners) stays theirs.
  std::vector<store::Write> writes;
  append_update(writes, located.object, after);
  if (published_by != nullptr) {
    PORTICO_TRY(const auto others, siblings(located));
    for (const Value& other : others) {
      if (krm::name_of(other) == krm::name_of(located.object)) continue;
      if (!is_latest(other)) continue;
      Value labels = other["metadata"]["labels"].without(api::kLatestRevisionLabel);
      writes.push_back({store::Verb::kUpdate, labels.empty()
                                                  ? other.without_at({"metadata", "labels"})
                                                  : other.with_at({"metadata", "labels"}, labels)});
    }
    append_head(writes, located, now, facts, others);
  }
  PORTICO_TRY(const auto stored, registry_.commit(writes));
  const auto own = std::find_if(stored.rbegin(), stored.rend(), [&](const Value& each) {
    return krm::name_of(each) == krm::name_of(located.object);
  });
  return own == stored.rend() ? located.object : *own;
}

void EmbeddedRevisions::append_head(std::vector<store::Write>& writes, const Located& located,
                                    const repo::Revision& published, const KptfileFacts& facts,
                                    const std::vector<Value>& siblings) {
  repo::Revision head = published;
  head.workspace = located.home.home.branch;
  head.revision = -1;
  head.ref = "refs/heads/" + head.workspace;
  head.variant.clear();
  const Value fresh =
      to_object(located.home.home, head, located.home.git->lock_of(head), facts, false);
  for (const Value& other : siblings)
    if (krm::name_of(other) == krm::name_of(fresh))
      return append_update(writes, other, refreshed(other, fresh));
  writes.push_back({store::Verb::kCreate, fresh});
}

Result<Value> EmbeddedRevisions::publish(const Located& located, const Actor& actor) {
  if (located.home.home.deployment) {
    if (const auto unmet = unmet_gates(located.object); !unmet.empty())
      return invalid("readiness conditions not met: {}", fmt::join(unmet, ", "));
  }
  PORTICO_TRY(const auto others, siblings(located));
  std::int64_t highest = 0;
  for (const Value& other : others) highest = std::max(highest, other["spec"]["revision"].as_int());
  PORTICO_TRY(
      const repo::Revision now,
      located.home.git->publish(located.revision, static_cast<int>(highest) + 1, signature(actor)));
  return moved(located, now, &actor);
}

Result<EmbeddedRevisions::Step> EmbeddedRevisions::begin(Transition transition,
                                                         const krm::ObjectKey& key) {
  Step out;
  out.place = std::string(name(transition)) + " " + key.name;
  PORTICO_TRY(out.located, locate(key), out.place);
  PORTICO_TRY(out.does,
              outcome(transition, out.located.object["spec"]["lifecycle"].as_string(),
                      out.located.revision.revision),
              out.place);
  return out;
}

Result<Value> EmbeddedRevisions::propose(const krm::ObjectKey& key, const Actor&) {
  PORTICO_TRY(const Step step, begin(Transition::kPropose, key));
  if (step.does == Outcome::kNothing) return step.located.object;
  PORTICO_TRY(const auto now, step.located.home.git->propose(step.located.revision), step.place);
  return moved(step.located, now);
}

Result<Value> EmbeddedRevisions::approve(const krm::ObjectKey& key, const Actor& actor) {
  PORTICO_TRY(const Step step, begin(Transition::kApprove, key));
  PORTICO_TRY(Value object, publish(step.located, actor), step.place);
  return object;
}

Result<Value> EmbeddedRevisions::reject(const krm::ObjectKey& key, const Actor&) {
  PORTICO_TRY(const Step step, begin(Transition::kReject, key));
  repo::Repository& git = *step.located.home.git;
  PORTICO_TRY(const auto now,
              step.does == Outcome::kRestored ? git.restore(step.located.revision)
                                              : git.reject(step.located.revision),
              step.place);
  return moved(step.located, now);
}

Result<Value> EmbeddedRevisions::propose_deletion(const krm::ObjectKey& key, const Actor&) {
  PORTICO_TRY(const Step step, begin(Transition::kProposeDeletion, key));
  if (step.does == Outcome::kNothing) return step.located.object;
  PORTICO_TRY(const auto now, step.located.home.git->propose_deletion(step.located.revision),
              step.place);
  return moved(step.located, now);
}

Result<Done> EmbeddedRevisions::remove(const krm::ObjectKey& key, const Actor& actor) {
  PORTICO_TRY(const Step step, begin(Transition::kDelete, key));
  const Located& gone = step.located;
  PORTICO_TRY(const auto others, siblings(gone), step.place);

  // The last published revision takes the package's folder on the branch along, so that GitOps does
  // not keep what was deleted.
  bool last = gone.revision.lifecycle == repo::Lifecycle::kDeletionProposed;
  const Value* highest = nullptr;
  const Value* head = nullptr;
  for (const Value& other : others) {
    const std::int64_t revision = other["spec"]["revision"].as_int();
    if (krm::name_of(other) == krm::name_of(gone.object)) continue;
    if (revision == -1 && other["spec"]["workspaceName"].as_string() == gone.home.home.branch)
      head = &other;
    if (revision < 1) continue;
    last = false;
    if (highest == nullptr || (*highest)["spec"]["revision"].as_int() < revision) highest = &other;
  }
  PORTICO_DO(gone.home.git->remove(gone.revision, last, signature(actor)), step.place);

  std::vector<store::Write> writes{{store::Verb::kDelete, gone.object}};
  if (last && head != nullptr) writes.push_back({store::Verb::kDelete, *head});
  if (highest != nullptr && is_latest(gone.object))
    writes.push_back({store::Verb::kUpdate,
                      highest->with_at({"metadata", "labels", api::kLatestRevisionLabel}, "true")});
  PORTICO_DO(registry_.commit(writes), step.place);
  return Done{};
}

}  // namespace portico::revisions
