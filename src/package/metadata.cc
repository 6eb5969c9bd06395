#include "package/metadata.h"

#include "api/decode.h"
#include "package/kptfile.h"

namespace portico::package {

namespace {

Members condition_members(const api::Condition& condition) {
  return {{"type", json::Value(condition.type)},
          {"status", json::Value(condition.status)},
          {"reason", json::Value(condition.reason)},
          {"message", json::Value(condition.message)}};
}

}  // namespace

Result<KptfileMetadata> read_metadata(const krm::Package& package) {
  PORTICO_TRY(const krm::Object kptfile, kptfile_of(package));
  const json::Value& value = kptfile.value();
  // A value in the form of a PackageRevision, so that one decoder checks everything.
  json::Value object = json::Value::object();
  object = object.with_at({"spec", "packageMetadata", "labels"}, value["metadata"]["labels"]);
  object =
      object.with_at({"spec", "packageMetadata", "annotations"}, value["metadata"]["annotations"]);
  object = object.with_at({"spec", "readinessGates"}, value["info"]["readinessGates"]);
  object = object.with_at({"status", "conditions"}, value["status"]["conditions"]);
  PORTICO_TRY(api::PackageRevision revision, api::decode<api::PackageRevision>(object),
              std::string(kKptfile));
  KptfileMetadata out;
  if (revision.spec.package_metadata) out.metadata = std::move(*revision.spec.package_metadata);
  out.readiness_gates = std::move(revision.spec.readiness_gates);
  out.conditions = std::move(revision.status.conditions);
  return out;
}

MetadataChange change_to(const api::PackageRevision& revision) {
  MetadataChange change;
  if (revision.spec.package_metadata) {
    change.labels = revision.spec.package_metadata->labels;
    change.annotations = revision.spec.package_metadata->annotations;
  }
  change.readiness_gates = revision.spec.readiness_gates;
  change.conditions = revision.status.conditions;
  return change;
}

Result<krm::Package> set_metadata(krm::Package package, const MetadataChange& change) {
  PORTICO_TRY(krm::Object kptfile, kptfile_of(package));
  const std::string place(kKptfile);
  const auto set = [&](const char* field, api::StringMap wanted) {
    if (change.keep_others)
      for (const json::Member& member : kptfile.value()["metadata"][field].members())
        wanted.emplace(member.name(), member.value.as_string());
    return set_map(kptfile, {"metadata", field}, wanted);
  };
  if (change.labels) PORTICO_DO(set("labels", *change.labels), place);
  if (change.annotations) PORTICO_DO(set("annotations", *change.annotations), place);
  if (change.readiness_gates) {
    std::vector<Members> gates;
    for (const api::ReadinessGate& gate : *change.readiness_gates)
      gates.push_back({{"conditionType", json::Value(gate.condition_type)}});
    PORTICO_DO(sync_list(kptfile, {"info", "readinessGates"}, "conditionType", gates), place);
    PORTICO_DO(remove_if_empty(kptfile, {"info"}), place);
  }
  if (change.conditions) {
    std::vector<Members> conditions;
    for (const api::Condition& condition : *change.conditions)
      conditions.push_back(condition_members(condition));
    PORTICO_DO(sync_list(kptfile, {"status", "conditions"}, "type", conditions), place);
    PORTICO_DO(remove_if_empty(kptfile, {"status"}), place);
  }
  put_kptfile(package, kptfile);
  return package;
}

}  // namespace portico::package
