#include "apiserver/definitions.h"

#include <algorithm>
#include <map>
#include <vector>

#include "base/time.h"
#include "fieldset/apply.h"
#include "krm/meta.h"
#include "kubeapi/core_schemas.h"
#include "kubeapi/definition_rules.h"

namespace portico::apiserver {

using json::Value;
using registry::Verb;

namespace {

constexpr std::string_view kGroup = "apiextensions.k8s.io", kKind = "CustomResourceDefinition";
constexpr std::string_view kCleanup = "customresourcecleanup.apiextensions.k8s.io";

krm::GroupKind kind_of_objects(const Value& definition) {
  return {std::string(definition["spec"]["group"].as_string()),
          std::string(definition["spec"]["names"]["kind"].as_string())};
}

bool has_cleanup(const Value& definition) {
  const auto finalizers = krm::finalizers_of(definition);
  return std::find(finalizers.begin(), finalizers.end(), kCleanup) != finalizers.end();
}

// The server owns the status fields that it writes.
Value tracked(const Value& before, const Value& after, TimePoint now) {
  static const fieldset::ObjectType kType(kubeapi::core_schema(kGroup, kKind));
  const std::string version = fmt::format("{}/v1", kGroup);
  fieldset::Versions versions;
  versions.types.emplace(version, kType);
  fieldset::Writer writer;
  writer.manager = "portico";
  writer.subresource = "status";
  writer.api_version = version;
  writer.ownable.only = {{"status"}};
  writer.now = now;
  return fieldset::track(before, after, versions, writer);
}

Value without_version(const Value& object) {
  return object.without_at({"metadata", "resourceVersion"});
}

}  // namespace

Result<Done> Definitions::settle(std::string_view group) {
  PORTICO_TRY(const registry::Listing all,
              registry_.list({.type = {std::string(kGroup), std::string(kKind)}}));
  std::map<std::string, std::vector<Value>, std::less<>> groups;
  for (const Value& definition : all.objects)
    if (const std::string_view of = definition["spec"]["group"].as_string();
        group.empty() || of == group)
      groups[std::string(of)].push_back(definition);
  // Definitions being deleted come first: they free their names for the others.
  for (auto& entry : groups)
    for (const bool deleting : {true, false})
      for (Value& definition : entry.second) {
        if (definition.is_null() || krm::is_deleting(definition) != deleting) continue;
        auto settled = settle_one(definition, entry.second);
        // A concurrent writer settles it itself.
        if (!settled && settled.error().code != Code::kConflict &&
            settled.error().code != Code::kNotFound)
          return settled.error();
        if (settled) definition = *std::move(settled);
      }
  return Done{};
}

Result<Value> Definitions::settle_one(const Value& definition, const std::vector<Value>& others) {
  if (krm::is_deleting(definition)) {
    if (!has_cleanup(definition)) return definition;
    PORTICO_TRY(const registry::Listing left,
                registry_.list({.type = kind_of_objects(definition), .limit = 1}));
    if (!left.objects.empty()) return definition;
    auto finalizers = krm::finalizers_of(definition);
    std::erase(finalizers, std::string(kCleanup));
    PORTICO_TRY(auto gone,
                registry_.commit({{Verb::kUpdate, krm::with_finalizers(definition, finalizers)}}));
    // Its names are free, unless another finalizer keeps it.
    return finalizers.empty() ? Value() : std::move(gone.front());
  }
  const TimePoint now = clock_.now();
  const Value settled = kubeapi::with_accepted_names(definition, others, rfc3339(now));
  if (settled == definition) return definition;
  const Value written = tracked(definition, settled, now);
  PORTICO_TRY(auto done, registry_.commit({{Verb::kUpdateAll, written}}));
  return std::move(done.back());
}

Result<Value> Definitions::remove(const Value& definition, bool keeps) {
  if (keeps) {
    PORTICO_TRY(auto gone, registry_.commit({{Verb::kDelete, definition}}));
    return std::move(gone.front());
  }
  std::vector<registry::Write> writes;
  if (!krm::is_deleting(definition)) {
    auto finalizers = krm::finalizers_of(definition);
    if (!has_cleanup(definition)) finalizers.emplace_back(kCleanup);
    const Value marked = kubeapi::with_condition(
        krm::with_finalizers(definition, finalizers), "Terminating", "True",
        "InstanceDeletionPending",
        "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
        rfc3339(clock_.now()));
    writes.push_back({Verb::kUpdateAll, marked});
  }
  writes.push_back({Verb::kDelete, without_version(definition)});
  PORTICO_TRY(auto done, registry_.commit(writes));
  Value out = std::move(done.back());
  PORTICO_TRY(const registry::Listing objects,
              registry_.list({.type = kind_of_objects(definition)}));
  std::vector<registry::Write> deletions;
  for (const Value& object : objects.objects)
    deletions.push_back({Verb::kDelete, without_version(object)});
  for (const auto& each : registry_.commit_each(deletions))
    if (!each && each.error().code != Code::kNotFound) return each.error();
  PORTICO_DO(settle(definition["spec"]["group"].as_string()));
  return out;
}

}  // namespace portico::apiserver
