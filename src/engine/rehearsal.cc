#include "engine/rehearsal.h"

#include "controllers/planner.h"
#include "engine/applying.h"
#include "engine/scratch.h"
#include "engine/what_if.h"

namespace portico::engine {

using json::Value;

namespace {

std::set<krm::GroupKind> kinds_of(const Changes& changes) {
  std::set<krm::GroupKind> out;
  for (const Wanted& each : changes.apply) out.insert(krm::group_kind(each.object));
  for (const auto& [key, label] : changes.labels) out.insert(key.type);
  for (const Value& each : changes.remove) out.insert(krm::group_kind(each));
  return out;
}

}  // namespace

Result<std::unique_ptr<Rehearsal>> Rehearsal::begin(System& system, const Changes& changes) {
  std::unique_ptr<Rehearsal> out(new Rehearsal(system, changes));
  PORTICO_TRY(out->folder_, make_scratch(system.folder(), "rehearsal"));
  PORTICO_TRY(out->registry_, system.fork(kinds_of(changes)));
  out->runner_ = system.make_runner(*out->registry_);
  out->ports_ = system.ports_over(*out->registry_, *out->runner_, out->folder_);
  return out;
}

Rehearsal::~Rehearsal() {
  ports_.drafts.reset();
  ports_.packages.reset();
  ports_.git.reset();  // it has the folder open
  if (!folder_.empty()) remove_scratch(folder_);
}

namespace {

// Applies every change and records errors. Returns the affected objects.
Result<std::set<krm::ObjectKey>> write_changes(registry::Registry& registry, const Changes& changes,
                                               Rehearsed& out) {
  std::set<krm::ObjectKey> asked = keys_of(changes.apply);
  PORTICO_TRY(const auto applied,
              apply_objects(registry, changes.apply, changes.confirm_deletions));
  for (std::size_t i = 0; i < applied.size(); ++i) {
    if (!applied[i].now)
      out.refused.push_back(Error(applied[i].now.error()).in(changes.apply[i].source));
    else if (const std::string verb = applied[i].verb(); verb != "unchanged")
      out.done.emplace_back(verb, *applied[i].now);
  }
  std::vector<Value> edited;
  if (!changes.upstream.empty()) {
    PORTICO_TRY(edited, move_upstream(registry, changes.ns, changes.upstream, changes.to));
  }
  for (const auto& [key, label] : changes.labels) {
    PORTICO_TRY(Value labelled, set_label(registry, key, label));
    edited.push_back(std::move(labelled));
  }
  for (const Value& object : edited) {
    asked.insert(krm::object_key(object));
    out.done.emplace_back("configured", object);
  }
  for (const Value& object : changes.remove) {
    const auto gone = registry.commit(
        {{registry::Verb::kDelete, object.without_at({"metadata", "resourceVersion"})}});
    out.removed.push_back(gone ? std::nullopt : std::optional(gone.error()));
  }
  return asked;
}

}  // namespace

Result<Rehearsed> Rehearsal::run(std::chrono::milliseconds limit,
                                 const std::function<void(const controllers::Progress&)>& report,
                                 const std::stop_token& stop) {
  Rehearsed out;
  PORTICO_TRY(const auto asked, write_changes(*registry_, changes_, out));
  controllers::World world = system_.world(*registry_, ports_);
  world.stopped = [stop, stopped = world.stopped] { return stopped() || stop.stop_requested(); };
  PORTICO_TRY(out.plan, controllers::make_plan(system_.registry(), world, system_.log(), asked,
                                               limit, report));
  return out;
}

}  // namespace portico::engine
