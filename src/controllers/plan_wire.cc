#include "controllers/plan_wire.h"

#include <algorithm>
#include <utility>

#include "drafts/wire.h"
#include "krm/package_json.h"

namespace portico::controllers {

using json::Member;
using json::Value;

namespace {

std::string text(const Value& value) { return std::string(value.as_string()); }

template <class T, class F>
Value list_of(const std::vector<T>& all, const F& encode) {
  std::vector<Value> out;
  out.reserve(all.size());
  for (const T& each : all) out.push_back(encode(each));
  return Value::array(std::move(out));
}

Value wire_of(const krm::ObjectKey& key) {
  return Value::object({{"group", key.type.group},
                        {"kind", key.type.kind},
                        {"namespace", key.ns},
                        {"name", key.name}});
}

krm::ObjectKey key_of(const Value& value) {
  return {
      {text(value["group"]), text(value["kind"])}, text(value["namespace"]), text(value["name"])};
}

Value wire_of(const variants::VariantKey& key) {
  return Value::object({{"repo", key.repo}, {"package", key.package}});
}

variants::VariantKey variant_key_of(const Value& value) {
  return {text(value["repo"]), text(value["package"])};
}

Value wire_of(const Error& error) {
  return Value::object({{"code", static_cast<int>(error.code)}, {"text", error.text()}});
}

Error error_of(const Value& value) {
  return {static_cast<Code>(std::clamp<std::int64_t>(value["code"].as_int(), 0,
                                                     static_cast<int>(Code::kInternal))),
          text(value["text"])};
}

Value wire_of(const variants::SetAction& action) {
  return Value::object({{"verb", static_cast<int>(action.verb)},
                        {"key", wire_of(action.key)},
                        {"name", action.object->metadata.name},
                        {"reason", action.reason}});
}

variants::SetAction action_of(const Value& value) {
  api::PackageVariant object;
  object.metadata.name = text(value["name"]);
  return {static_cast<variants::Verb>(std::clamp<std::int64_t>(
              value["verb"].as_int(), 0, static_cast<int>(variants::Verb::kDelete))),
          variant_key_of(value["key"]),
          std::make_shared<const api::PackageVariant>(std::move(object)), text(value["reason"])};
}

std::vector<variants::SetAction> actions_of(const Value& list) {
  std::vector<variants::SetAction> out;
  for (const Value& each : list.items()) out.push_back(action_of(each));
  return out;
}

Value wire_of(const PlannedSet& set) {
  const auto action = [](const variants::SetAction& each) { return wire_of(each); };
  std::vector<Member> out{
      {"key", wire_of(set.key)},
      {"desired", static_cast<std::uint64_t>(set.desired)},
      {"actions", list_of(set.actions, action)},
      {"failures", list_of(set.failures,
                           [](const variants::FailedTarget& each) {
                             Value one = Value::object({{"repo", each.repo_default},
                                                        {"package", each.package_default},
                                                        {"error", wire_of(each.error)}});
                             return each.key ? one.with("key", wire_of(*each.key)) : one;
                           })},
      {"failedActions", list_of(set.failed_actions, [](const variants::FailedAction& each) {
         return Value::object({{"key", wire_of(each.key)}, {"error", wire_of(each.error)}});
       })}};
  if (set.stall)
    out.push_back(
        {"stall", Value::object({{"reason", set.stall->reason}, {"message", set.stall->message}})});
  if (set.no_match) out.push_back({"noMatch", *set.no_match});
  if (set.hold)
    out.push_back({"hold", Value::object({{"why", static_cast<int>(set.hold->why)},
                                          {"message", set.hold->message},
                                          {"deletions", list_of(set.hold->deletions, action)}})});
  return Value::object(std::move(out));
}

PlannedSet set_of(const Value& value) {
  PlannedSet out;
  out.key = key_of(value["key"]);
  out.desired = static_cast<std::size_t>(value["desired"].as_uint());
  out.actions = actions_of(value["actions"]);
  for (const Value& each : value["failures"].items()) {
    variants::FailedTarget one;
    one.repo_default = text(each["repo"]);
    one.package_default = text(each["package"]);
    one.error = error_of(each["error"]);
    if (each.contains("key")) one.key = variant_key_of(each["key"]);
    out.failures.push_back(std::move(one));
  }
  for (const Value& each : value["failedActions"].items())
    out.failed_actions.push_back({variant_key_of(each["key"]), error_of(each["error"])});
  if (const Value* stall = value.find("stall"))
    out.stall = variants::Stall{text((*stall)["reason"]), text((*stall)["message"])};
  if (const Value* no_match = value.find("noMatch")) out.no_match = text(*no_match);
  if (const Value* hold = value.find("hold")) {
    const auto why = std::clamp<std::int64_t>(
        (*hold)["why"].as_int(), 0, static_cast<int>(variants::Hold::Why::kRepositoryNotFound));
    out.hold = variants::Hold{static_cast<variants::Hold::Why>(why), text((*hold)["message"]),
                              actions_of((*hold)["deletions"])};
  }
  return out;
}

variants::Revision revision_named(const std::string& name) {
  api::PackageRevision object;
  object.metadata.name = name;
  return {std::make_shared<const api::PackageRevision>(std::move(object)), "", ""};
}

// The step of that name with its revisions; a step with a single revision takes the first.
Result<variants::Step> step_of(std::string_view name, const Value& fates) {
  std::vector<variants::Revision> all;
  for (const Value& each : fates.items()) all.push_back(revision_named(text(each["revision"])));
  const variants::Revision first = all.empty() ? revision_named("") : all.front();
  variants::LetGo let_go;
  for (const Value& each : fates.items()) {
    const std::string_view word = each["word"].as_string();
    let_go.revisions.emplace_back(revision_named(text(each["revision"])),
                                  word == "remove"            ? variants::Farewell::kDelete
                                  : word == "proposeDeletion" ? variants::Farewell::kProposeDeletion
                                  : word == "orphan"          ? variants::Farewell::kRelease
                                                              : variants::Farewell::kNone);
  }
  const std::vector<variants::Step> steps{variants::Keep{},
                                          variants::Clone{first, ""},
                                          variants::UpgradeNewDraft{first, first, ""},
                                          variants::UpgradeInPlace{first, first},
                                          variants::EditNewDraft{first, first, ""},
                                          variants::EditInPlace{first, first},
                                          variants::Rebase{first, first},
                                          variants::DropDraft{first},
                                          variants::WaitForReview{first},
                                          variants::Propose{first},
                                          variants::Approve{first},
                                          variants::TakeBack{first},
                                          variants::Restore{all},
                                          variants::Adopt{all},
                                          std::move(let_go),
                                          variants::DropFinalizer{},
                                          variants::Stall{},
                                          variants::Suspended{}};
  for (const variants::Step& each : steps)
    if (name == variants::name(each)) return each;
  return invalid("unknown step {:?}", name);
}

// Files that are equal on both sides are left out.
std::pair<krm::Package, krm::Package> only_changed(const krm::Package& before,
                                                   const krm::Package& after) {
  std::pair<krm::Package, krm::Package> out;
  for (const auto& [path, file] : before.files)
    if (const krm::File* now = after.find(path); now == nullptr || !(*now == file))
      out.first.files.emplace(path, file);
  for (const auto& [path, file] : after.files)
    if (const krm::File* was = before.find(path); was == nullptr || !(*was == file))
      out.second.files.emplace(path, file);
  return out;
}

Value wire_of(const PlannedVariant& variant) {
  std::vector<Member> out{
      {"key", wire_of(variant.key)},
      {"downstream", wire_of(variant.downstream)},
      {"removed", variant.removed},
      {"step", variants::name(variant.decision.step)},
      {"fates", list_of(fates_of(variant.decision.step),
                        [](const Fate& each) {
                          return Value::object({{"revision", each.revision}, {"word", each.word}});
                        })},
      {"reason", variant.decision.reason},
      {"workspace", variant.workspace},
      {"revision", variant.revision}};
  if (variant.error) out.push_back({"error", wire_of(*variant.error)});
  if (variant.built) {
    const krm::Package nothing;
    const auto changed =
        only_changed(variant.built->before != nullptr ? *variant.built->before : nothing,
                     variant.built->content);
    out.push_back({"built", Value::object({{"before", krm::package_to_json(changed.first)},
                                           {"after", krm::package_to_json(changed.second)},
                                           {"conflicts", list_of(variant.built->conflicts,
                                                                 [](const merge::Conflict& each) {
                                                                   return drafts::to_json(each);
                                                                 })}})});
  }
  return Value::object(std::move(out));
}

Result<PlannedVariant> variant_of(const Value& value) {
  PlannedVariant out;
  out.key = key_of(value["key"]);
  out.downstream = variant_key_of(value["downstream"]);
  out.removed = value["removed"].as_bool();
  PORTICO_TRY(out.decision.step, step_of(value["step"].as_string(), value["fates"]));
  out.decision.reason = text(value["reason"]);
  out.workspace = text(value["workspace"]);
  out.revision = text(value["revision"]);
  if (const Value* error = value.find("error")) out.error = error_of(*error);
  const Value* built = value.find("built");
  if (built == nullptr) return out;
  PORTICO_TRY(krm::Package before, krm::package_from_json((*built)["before"]), "before");
  out.built.emplace();
  out.built->before = std::make_shared<const krm::Package>(std::move(before));
  PORTICO_TRY(out.built->content, krm::package_from_json((*built)["after"]), "after");
  for (const Value& each : (*built)["conflicts"].items())
    out.built->conflicts.push_back(drafts::conflict_from_json(each));
  return out;
}

}  // namespace

Value to_wire(const Plan& plan) {
  return Value::object(
      {{"sets", list_of(plan.sets, [](const PlannedSet& each) { return wire_of(each); })},
       {"variants",
        list_of(plan.variants, [](const PlannedVariant& each) { return wire_of(each); })},
       {"errors", list_of(plan.errors, [](const PlannedError& each) {
          return Value::object({{"key", wire_of(each.key)},
                                {"message", each.message},
                                {"before", each.before},
                                {"asked", each.asked},
                                {"untold", each.untold}});
        })}});
}

Result<Plan> plan_from_wire(const Value& value) {
  Plan out;
  for (const Value& each : value["sets"].items()) out.sets.push_back(set_of(each));
  for (const Value& each : value["variants"].items()) {
    PORTICO_TRY(PlannedVariant one, variant_of(each), "variants");
    out.variants.push_back(std::move(one));
  }
  for (const Value& each : value["errors"].items())
    out.errors.push_back({key_of(each["key"]), text(each["message"]), each["before"].as_bool(),
                          each["asked"].as_bool(), each["untold"].as_bool()});
  return out;
}

}  // namespace portico::controllers
