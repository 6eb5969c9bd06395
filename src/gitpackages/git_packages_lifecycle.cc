#include <algorithm>

#include "base/time.h"
#include "gitpackages/internal/git_packages.h"
#include "gitpackages/sync_plan.h"
#include "packages/base.h"
#include "packages/lineage.h"

namespace portico::gitpackages {

using json::Value;
using packages::Outcome;
using packages::revisions_of;
using packages::Transition;

namespace {

std::string shown(const Actor& actor) {
  return actor.email.empty() ? actor.name : fmt::format("{} <{}>", actor.name, actor.email);
}

bool is_latest(const Value& object) {
  return object["metadata"]["labels"].contains(api::kLatestRevisionLabel);
}

Value without_latest(const Value& object) {
  const Value labels = object["metadata"]["labels"].without(api::kLatestRevisionLabel);
  return labels.empty() ? object.without_at({"metadata", "labels"})
                        : object.with_at({"metadata", "labels"}, labels);
}

}  // namespace

Result<GitPackages::Located> GitPackages::locate(const krm::ObjectKey& key) {
  Located out;
  PORTICO_TRY(out.object, registry_.get(key));
  PORTICO_TRY(out.revision, to_revision(out.object));
  PORTICO_TRY(out.home, home_of(out.object, out.revision));
  return out;
}

Result<Repositories::Opened> GitPackages::home_of(const Value& package_revision,
                                                  const repo::Revision& revision) {
  PORTICO_TRY(auto opened,
              repositories_.open(std::string(krm::namespace_of(package_revision)),
                                 std::string(package_revision["spec"]["repository"].as_string())));
  PORTICO_DO(opened.git->know(revision.commit),
             fmt::format("repository \"{}\"", opened.home.repository));
  return opened;
}

Result<std::vector<Value>> GitPackages::siblings(const Located& one) const {
  return revisions_of(registry_, one.home.home.ns, one.home.home.repository, one.revision.package);
}

repo::Signature GitPackages::signature(const Actor& actor) const {
  return {actor.name, actor.email, std::chrono::floor<std::chrono::seconds>(clock_.now())};
}

void GitPackages::say(std::string_view what, const Home& home, const repo::Revision& now,
                      const Actor& actor) const {
  if (log_ == nullptr) return;
  log_->debug(what, {{"repository", home.ns + "/" + home.repository},
                     {"run", actor.run},
                     {"audit_id", actor.audit_id},
                     {"package", now.package},
                     {"workspace", now.workspace},
                     {"commit", now.commit}});
}

Result<Value> GitPackages::commit_with_retry(
    const krm::ObjectKey& key,
    const std::function<Result<std::vector<registry::Write>>()>& writes) {
  // Each retry means that another writer changed one of the objects; there are not many.
  constexpr int kTries = 10;
  for (int left = kTries;; --left) {
    PORTICO_TRY(const std::vector<registry::Write> now, writes());
    if (now.empty()) return registry_.get(key);
    auto written = registry_.commit(now);
    if (written) {
      const auto own = std::find_if(written->rbegin(), written->rend(), [&](const Value& each) {
        return krm::object_key(each) == key;
      });
      return own != written->rend() ? *own : registry_.get(key);
    }
    if (written.error().code != Code::kConflict || left <= 1) return written.error();
  }
}

Result<Value> GitPackages::record_transition(const Located& located, const repo::Revision& now,
                                             Outcome outcome, const Actor& actor) {
  const krm::ObjectKey key = krm::object_key(located.object);
  const std::string at = rfc3339(clock_.now());
  say(outcome == Outcome::kPublished  ? "published"
      : outcome == Outcome::kProposed ? "proposed in git"
                                      : "moved",
      located.home.home, now, actor);
  const bool published = outcome == Outcome::kPublished;
  const KptfileFacts facts = facts_of(located.object);
  // Git has moved already. Concurrent changes to the objects (labels, owners) are kept, and the
  // publisher of a higher number has the latest label.
  return commit_with_retry(key, [&]() -> Result<std::vector<registry::Write>> {
    PORTICO_TRY(const Value stored, registry_.get(key));
    std::vector<Value> others;
    bool latest = is_latest(stored);
    if (published) {
      PORTICO_TRY(others, siblings(located));
      latest = std::none_of(others.begin(), others.end(), [&](const Value& other) {
        return other["spec"]["revision"].as_int() > now.revision;
      });
    }
    const Value fresh =
        to_object(located.home.home, now, located.home.git->lock_of(now), facts, latest);
    Value after = refreshed(stored, fresh);
    if (published)
      after = after.with_at({"status", "publishedBy"}, actor.name)
                  .with_at({"status", "publishTimestamp"}, at);
    if (outcome == Outcome::kProposed) {
      Value proposal = Value::object({{"by", shown(actor)}, {"at", at}});
      if (!actor.decision.empty()) proposal = proposal.with("decision", actor.decision);
      after = after.with_at({"status", "proposal"}, proposal);
    }
    if (outcome == Outcome::kDraft && actor.decision.empty())  // a user's decision
      after = after.with_at({"status", "rejection"},
                            Value::object({{"by", shown(actor)}, {"at", at}, {"tree", now.tree}}));
    std::vector<registry::Write> writes;
    append_update(writes, stored, after);
    if (!published) return writes;
    for (const Value& other : others)
      if (latest && krm::name_of(other) != key.name && is_latest(other))
        writes.push_back({registry::Verb::kUpdate, without_latest(other)});
    // Read after the siblings: a publication that moves it later also writes to them.
    PORTICO_TRY(const repo::Revision head, located.home.git->branch_head(now.package));
    append_head(writes, located, head, facts, others);
    return writes;
  });
}

void GitPackages::append_head(std::vector<registry::Write>& writes, const Located& located,
                              const repo::Revision& head, const KptfileFacts& facts,
                              const std::vector<Value>& siblings) {
  // After another publication since then, the next sync records the head.
  if (head.tree != located.revision.tree) return;
  repo::Revision published = head;
  published.pristine = located.revision.pristine;
  const Value fresh =
      to_object(located.home.home, published, located.home.git->lock_of(head), facts, false);
  for (const Value& other : siblings)
    if (krm::name_of(other) == krm::name_of(fresh))
      return append_update(writes, other, refreshed(other, fresh));
  writes.push_back({registry::Verb::kCreate, fresh});
}

Result<Value> GitPackages::publish(const Located& located, const Actor& actor) {
  if (located.home.home.deployment) {
    if (const auto unmet = packages::unmet_gates(located.object); !unmet.empty())
      return invalid("readiness conditions not met: {}", fmt::join(unmet, ", "));
  }
  PORTICO_TRY(const auto others, siblings(located));
  std::int64_t highest = 0;
  for (const Value& other : others) highest = std::max(highest, other["spec"]["revision"].as_int());
  if (const auto stale = packages::stale_base(located.object, others))
    return conflict("{}; rebase it: portico rpkg rebase {}", *stale, krm::name_of(located.object));
  // A proposal makes no commit; its decision is recorded in the commit of the approval.
  std::vector<std::string> decisions;
  if (const Value& why = located.object["status"]["proposal"]["decision"]; why.is_string())
    decisions.emplace_back(why.as_string());
  if (!actor.decision.empty()) decisions.push_back(actor.decision);
  repo::Repository& git = *located.home.git;
  auto now =
      git.publish(located.revision, static_cast<int>(highest) + 1, signature(actor), decisions);
  if (!now && now.error().code == Code::kConflict) {
    // A tag that was not synced yet may have taken the number.
    PORTICO_TRY(const auto all, git.discover());
    int taken = 0;
    bool done = false;  // published by a process that died before it was recorded
    for (const repo::Revision& each : all) {
      if (each.package != located.revision.package) continue;
      taken = std::max(taken, each.revision);
      done |= each.revision > 0 && each.workspace == located.revision.workspace &&
              each.tree == located.revision.tree;
    }
    if (taken > highest && !done)
      now = git.publish(located.revision, taken + 1, signature(actor), decisions);
  }
  PORTICO_TRY(const repo::Revision published,
              resync_on_conflict(std::move(now), located.home.home));
  return record_transition(located, published, Outcome::kPublished, actor);
}

Result<GitPackages::Step> GitPackages::begin(Transition transition, const krm::ObjectKey& key,
                                             const Actor& actor) {
  Step out;
  out.place = std::string(name(transition)) + " " + key.name;
  PORTICO_TRY(out.located, locate(key), out.place);
  const Value& version = out.located.object["metadata"]["resourceVersion"];
  if (!actor.decided_on.empty() && version.as_string() != actor.decided_on)
    return conflict("it has been modified since the decision (resourceVersion {}, now {})",
                    actor.decided_on, version.as_string())
        .in(out.place);
  PORTICO_TRY(out.does,
              outcome(transition, out.located.object["spec"]["lifecycle"].as_string(),
                      out.located.revision.revision),
              out.place);
  return out;
}

Result<Value> GitPackages::propose(const krm::ObjectKey& key, const Actor& actor) {
  PORTICO_TRY(const Step step, begin(Transition::kPropose, key, actor));
  if (step.does == Outcome::kNothing) return step.located.object;
  const Repositories::Opened& home = step.located.home;
  PORTICO_TRY(const auto now,
              resync_on_conflict(home.git->propose(step.located.revision), home.home), step.place);
  return record_transition(step.located, now, step.does, actor);
}

Result<Value> GitPackages::approve(const krm::ObjectKey& key, const Actor& actor) {
  PORTICO_TRY(const Step step, begin(Transition::kApprove, key, actor));
  PORTICO_TRY(Value object, publish(step.located, actor), step.place);
  return object;
}

Result<Value> GitPackages::reject(const krm::ObjectKey& key, const Actor& actor) {
  PORTICO_TRY(const Step step, begin(Transition::kReject, key, actor));
  repo::Repository& git = *step.located.home.git;
  PORTICO_TRY(
      const auto now,
      resync_on_conflict(step.does == Outcome::kRestored ? git.restore(step.located.revision)
                                                         : git.reject(step.located.revision),
                         step.located.home.home),
      step.place);
  return record_transition(step.located, now, step.does, actor);
}

Result<Value> GitPackages::propose_deletion(const krm::ObjectKey& key, const Actor& actor) {
  PORTICO_TRY(const Step step, begin(Transition::kProposeDeletion, key, actor));
  if (step.does == Outcome::kNothing) return step.located.object;
  const Repositories::Opened& home = step.located.home;
  PORTICO_TRY(const auto now,
              resync_on_conflict(home.git->propose_deletion(step.located.revision), home.home),
              step.place);
  return record_transition(step.located, now, step.does, actor);
}

Result<Done> GitPackages::remove(const krm::ObjectKey& key, const Actor& actor) {
  PORTICO_TRY(const Step step, begin(Transition::kDelete, key, actor));
  const Located& gone = step.located;
  const auto numbered = [&](const Value& other) {
    return krm::name_of(other) != key.name && other["spec"]["revision"].as_int() > 0;
  };
  // With the last published revision, the package's folder on the branch is deleted as well, so
  // that GitOps does not keep a deleted package.
  PORTICO_TRY(const auto others, siblings(gone), step.place);
  const bool last = gone.revision.lifecycle == krm::Lifecycle::kDeletionProposed &&
                    std::none_of(others.begin(), others.end(), numbered);
  PORTICO_DO(resync_on_conflict(gone.home.git->remove(gone.revision, last, signature(actor)),
                                gone.home.home),
             step.place);
  say("deleted in git", gone.home.home, gone.revision, actor);
  PORTICO_DO(
      commit_with_retry(
          key,
          [&]() -> Result<std::vector<registry::Write>> {
            std::vector<registry::Write> writes;
            PORTICO_TRY(const auto left, siblings(gone));
            const Value* highest = nullptr;
            for (const Value& each : left) {
              if (krm::name_of(each) == key.name) writes.push_back({registry::Verb::kDelete, each});
              if (last && each["spec"]["revision"].as_int() == -1 &&
                  each["spec"]["workspaceName"].as_string() == gone.home.home.branch)
                writes.push_back({registry::Verb::kDelete, each});
              if (numbered(each) && (highest == nullptr || (*highest)["spec"]["revision"].as_int() <
                                                               each["spec"]["revision"].as_int()))
                highest = &each;
            }
            if (highest != nullptr && is_latest(gone.object) && !is_latest(*highest))
              writes.push_back(
                  {registry::Verb::kUpdate,
                   highest->with_at({"metadata", "labels", api::kLatestRevisionLabel}, "true")});
            return writes;
          }),
      step.place);
  return Done{};
}

}  // namespace portico::gitpackages
