#include "controllers/action_logger.h"

#include <algorithm>

#include "api/kinds.h"

namespace portico::controllers {
namespace {

// At most this many different texts per object are logged above level debug.
constexpr std::size_t kMostTexts = 16;

// The verb for a step that does something; null for other steps.
struct DoneWord {
  const char* operator()(const variants::Clone&) const { return "drafted"; }
  const char* operator()(const variants::UpgradeNewDraft&) const { return "upgraded"; }
  const char* operator()(const variants::UpgradeInPlace&) const { return "upgraded"; }
  const char* operator()(const variants::EditNewDraft&) const { return "changed"; }
  const char* operator()(const variants::EditInPlace&) const { return "changed"; }
  const char* operator()(const variants::Rebase&) const { return "rebased"; }
  const char* operator()(const variants::DropDraft&) const { return "dropped"; }
  const char* operator()(const variants::Propose&) const { return "proposed"; }
  const char* operator()(const variants::Approve&) const { return "approved"; }
  const char* operator()(const variants::TakeBack&) const { return "withdrawn"; }
  const char* operator()(const variants::Restore&) const { return "restored"; }
  const char* operator()(const variants::Adopt&) const { return "adopted"; }
  const char* operator()(const variants::LetGo&) const { return "released"; }
  const char* operator()(const variants::DropFinalizer&) const { return "deleted"; }
  const char* operator()(const variants::Keep&) const { return nullptr; }
  const char* operator()(const variants::WaitForReview&) const { return nullptr; }
  const char* operator()(const variants::Stall&) const { return nullptr; }
  const char* operator()(const variants::Suspended&) const { return nullptr; }
};

// The names of the revisions that a step is about.
struct Revisions {
  std::string operator()(const variants::Propose& step) const { return step.draft.name(); }
  std::string operator()(const variants::Approve& step) const { return step.proposed.name(); }
  std::string operator()(const variants::TakeBack& step) const { return step.proposed.name(); }
  std::string operator()(const variants::DropDraft& step) const { return step.draft.name(); }
  std::string operator()(const variants::Restore& step) const { return all(step.revisions); }
  std::string operator()(const variants::Adopt& step) const { return all(step.revisions); }
  std::string operator()(const variants::LetGo& step) const {
    std::string out;
    for (const auto& [revision, farewell] : step.revisions)
      out += (out.empty() ? "" : ",") + revision.name();
    return out;
  }
  template <class Other>
  std::string operator()(const Other&) const {
    return "";
  }

 private:
  static std::string all(const std::vector<variants::Revision>& revisions) {
    std::string out;
    for (const variants::Revision& each : revisions) out += (out.empty() ? "" : ",") + each.name();
    return out;
  }
};

}  // namespace

ActionLogger::Words ActionLogger::words_of(const krm::ObjectKey& key) {
  if (key.type == api::repository_kind()) return {"repository not ready", "repository ready again"};
  return {"failing", "recovered"};
}

void ActionLogger::fails(const krm::ObjectKey& key, const work::Run& run, LogLevel level,
                         const std::string& reason, const std::string& error, bool of_pool) {
  if (stopped_()) return;
  const bool news = troubles_.with([&](auto& troubles) {
    const auto [at, fresh] = troubles.try_emplace(key);
    Trouble& trouble = at->second;
    trouble.of_pool = fresh ? of_pool : trouble.of_pool && of_pool;
    trouble.level = std::max(trouble.level, level);
    return trouble.told.size() < kMostTexts && trouble.told.insert(error).second;
  });
  log_.write(news ? level : LogLevel::kDebug, words_of(key).fails,
             {{"object", key.text()}, {"run", run.id}, {"reason", reason}, {"error", error}});
}

void ActionLogger::goes_on(const krm::ObjectKey& key, const work::Run& run, bool of_pool) {
  const auto level = troubles_.with([&](auto& troubles) -> std::optional<LogLevel> {
    const auto at = troubles.find(key);
    if (at == troubles.end() || (of_pool && !at->second.of_pool)) return std::nullopt;
    const LogLevel told = at->second.level;
    troubles.erase(at);
    return told;
  });
  if (level)
    log_.write(std::min(*level, LogLevel::kInfo), words_of(key).recovers,
               {{"object", key.text()}, {"run", run.id}});
}

void ActionLogger::forget(const krm::ObjectKey& key) {
  troubles_.with([&](auto& troubles) { troubles.erase(key); });
}

void ActionLogger::variant_reconciled(const krm::ObjectKey& key, const work::Run& run,
                                      const variants::VariantSnapshot& snapshot,
                                      const variants::VariantOutcome& outcome,
                                      const drafts::Drafted* drafted) {
  const variants::Step& step = outcome.decision.step;
  if (outcome.error) {
    const auto& downstream = snapshot.variant->spec.downstream;
    const bool known = outcome.error->code == Code::kUnavailable && downstream &&
                       !reach_.answers(key.ns, downstream->repo);
    const LogLevel level = known                                    ? LogLevel::kDebug
                           : outcome.error->code == Code::kInternal ? LogLevel::kError
                                                                    : LogLevel::kWarning;
    fails(key, run, level, name(outcome.error->code), outcome.error->text());
    return;
  }
  if (const auto* stall = std::get_if<variants::Stall>(&step)) {
    fails(key, run, LogLevel::kWarning, stall->reason, stall->message);
    return;
  }
  std::string revisions = std::visit(Revisions(), step);
  if (outcome.built) revisions = outcome.built->revision;
  // The build produced a tree that exists already.
  const bool same = outcome.built && !outcome.built->tree.empty();
  const char* const did = std::visit(DoneWord(), step);
  const bool gone = drafted != nullptr && drafted->removed;
  const auto fields = {LogField{"object", key.text()}, LogField{"run", run.id},
                       LogField{"step", variants::name(step)}, LogField{"revision", revisions},
                       LogField{"reason", outcome.decision.reason}};
  if (did == nullptr || same)
    log_.debug("nothing to do", fields);
  else
    log_.write(LogLevel::kInfo, gone ? "dropped" : did, fields);
  if (outcome.built && !same && !outcome.built->conflicts.empty()) {
    const api::MergeConflict& first = outcome.built->conflicts.front();
    log_.warning("conflict", {{"object", key.text()},
                              {"run", run.id},
                              {"revision", revisions},
                              {"count", std::to_string(outcome.built->conflicts.size())},
                              {"first", first.path + ": " + first.object + ": " + first.field}});
  }
  if (std::holds_alternative<variants::DropFinalizer>(step))
    forget(key);
  else if (variants::ends(step))
    goes_on(key, run);
}

void ActionLogger::set_reconciled(const krm::ObjectKey& key, const work::Run& run,
                                  const variants::SetDecision& decision,
                                  const std::vector<variants::FailedAction>& failed) {
  std::size_t created = 0, updated = 0, deleted = 0;
  for (const variants::SetAction& action : decision.actions) {
    created += action.verb == variants::Verb::kCreate ? 1 : 0;
    updated += action.verb == variants::Verb::kUpdate ? 1 : 0;
    deleted += action.verb == variants::Verb::kDelete ? 1 : 0;
  }
  log_.write(decision.actions.empty() ? LogLevel::kDebug : LogLevel::kInfo, "set reconciled",
             {{"object", key.text()},
              {"run", run.id},
              {"create", std::to_string(created)},
              {"update", std::to_string(updated)},
              {"delete", std::to_string(deleted)},
              {"variants", std::to_string(decision.wanted.size())}});
  if (decision.stall)
    fails(key, run, LogLevel::kWarning, decision.stall->reason, decision.stall->message);
  if (decision.hold)
    fails(key, run, LogLevel::kWarning, variants::name(decision.hold->why), decision.hold->message);
  for (const variants::FailedTarget& each : decision.failures)
    fails(key, run, LogLevel::kWarning, "TargetFailed", each.error.text());
  for (const variants::FailedAction& each : failed)
    fails(key, run, LogLevel::kWarning, name(each.error.code), each.error.text());
  if (!decision.stall && !decision.hold && decision.failures.empty() && failed.empty())
    goes_on(key, run);
}

void ActionLogger::repository_reconciled(const krm::ObjectKey& key, const work::Run& run,
                                         const Error* error) {
  if (error != nullptr)
    fails(key, run, error->code == Code::kInternal ? LogLevel::kError : LogLevel::kWarning,
          name(error->code), error->text());
  else
    goes_on(key, run);
}

void ActionLogger::looked(const std::string& pool, const krm::ObjectKey& key, const work::Run& run,
                          const Result<work::NextReconcile>& outcome,
                          std::chrono::nanoseconds took) {
  const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(took).count();
  log_.debug("reconciled", {{"object", key.text()},
                            {"run", run.id},
                            {"queue", pool},
                            {"outcome", outcome ? "ok" : name(outcome.error().code)},
                            {"milliseconds", std::to_string(milliseconds)}});
  if (outcome) {
    goes_on(key, run, true);
    return;
  }
  const Error& error = outcome.error();
  const LogLevel level = error.code == Code::kInternal   ? LogLevel::kError
                         : error.code == Code::kConflict ? LogLevel::kDebug
                                                         : LogLevel::kWarning;
  fails(key, run, level, name(error.code), error.text(), true);
}

}  // namespace portico::controllers
