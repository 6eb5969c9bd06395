#include "apiserver/strategy.h"

#include <algorithm>
#include <array>

#include "admission/admission.h"
#include "api/kinds.h"
#include "api/old_package_variant_set.h"
#include "apiserver/internal/core_rules.h"
#include "json/duplicates.h"
#include "json/text.h"
#include "kubeapi/answers.h"
#include "kubeapi/definition_rules.h"
#include "schema/causes.h"
#include "schema/object.h"

namespace portico::apiserver {

using json::Value;
using kubeapi::FieldValidation;
using kubeapi::Origin;
using kubeapi::StatusOr;

namespace {

// Metadata fields that only the server sets.
constexpr std::array<std::string_view, 6> kServerFields = {
    "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds",
    "generation",        "selfLink",          "uid"};

schema::ObjectRules rules_of(const Call& call) {
  schema::ObjectRules out{.rules = call.version->rules,
                          .namespaced = call.type->namespaced,
                          .name = call.type->name_rule,
                          .scale = std::nullopt};
  if (call.version->scale)
    out.scale = schema::ScalePaths{call.version->scale->spec_replicas,
                                   call.version->scale->status_replicas};
  return out;
}

std::string_view media_type(const Call& call) {
  std::string_view out = call.request.headers.get("Content-Type");
  out = out.substr(0, out.find(';'));
  while (out.ends_with(' ')) out.remove_suffix(1);
  return out;
}

// What strict validation refuses in the body text: duplicate members, and unknown members of JSON
// patch operations.
std::vector<std::string> faults_of_text(const Call& call) {
  std::vector<std::string> out;
  const std::string_view type = media_type(call);
  const bool is_patch = type == "application/json-patch+json";
  const bool is_json = type.empty() || type == "application/json" || is_patch ||
                       type == "application/merge-patch+json" ||
                       type == "application/strategic-merge-patch+json";
  if (!is_json) return out;
  const std::string_view what = is_patch ? "json patch " : "";
  for (const std::string& path : json::duplicate_members(call.request.body))
    out.push_back(fmt::format("{}duplicate field \"{}\"", what, path));
  if (!is_patch) return out;
  static constexpr std::string_view kKnown[] = {"from", "op", "path", "value"};
  const auto operations = json::parse(call.request.body);
  if (!operations) return out;
  for (std::size_t i = 0; i < operations->size(); ++i)
    for (const json::Member& member : (*operations)[i].members())
      if (std::find(std::begin(kKnown), std::end(kKnown), member.name()) == std::end(kKnown))
        out.push_back(fmt::format("json patch unknown field \"[{}].{}\"", i, member.name()));
  return out;
}

std::string joined(const std::vector<std::string>& faults) {
  std::string out;
  for (const std::string& fault : faults) out += (out.empty() ? "" : ", ") + fault;
  return out;
}

kubeapi::StatusError undecodable(const Call& call, const Value& object, std::string_view why) {
  if (call.info.verb == "patch")
    return kubeapi::invalid_object(
        {}, "", {schema::invalid_value("patch", Value(json::print(object)), why)});
  return kubeapi::bad_request(fmt::format("{} in version \"{}\" cannot be handled as a {}: {}",
                                          call.named().kind, call.info.version, call.named().kind,
                                          why));
}

// The checks of Portico's own kinds, shared with the command line. `old` is null for a new object.
// An object in an older version is converted to the stored version.
StatusOr<Prepared> admit(Call& call, const Value& old, const Value& object) {
  auto admitted = admission::admit(object);
  if (!admitted)
    return kubeapi::status_error_of(admitted.error(), call.named(), krm::name_of(object));
  const Value& made = admitted->object;
  const auto before =
      old.is_null() ? Result<Value>(old) : api::in_version(old, made["apiVersion"].as_string());
  const auto judged = before ? admission::judge(*before, made) : Result<Done>(before.error());
  if (!judged) return kubeapi::status_error_of(judged.error(), call.named(), krm::name_of(object));
  for (std::string& warning : admitted->warnings) call.warnings.push_back(std::move(warning));
  // Ownership is tracked in the version that the client sees.
  PORTICO_TRY(Value written, kubeapi::at_version(made, *call.type, call.info.version));
  return Prepared{made, std::move(written)};
}

// Finalizers cannot be added to an object that is being deleted.
std::optional<Cause> new_finalizers(const Value& old, const Value& sent) {
  if (!krm::is_deleting(old)) return std::nullopt;
  const std::vector<std::string> before = krm::finalizers_of(old);
  std::string fresh;
  for (const std::string& each : krm::finalizers_of(sent))
    if (std::find(before.begin(), before.end(), each) == before.end())
      fresh += (fresh.empty() ? "" : ", ") + schema::go_quoted(each);
  if (fresh.empty()) return std::nullopt;
  return schema::forbidden_value("metadata.finalizers",
                                 fmt::format("no new finalizers can be added if the object is "
                                             "being deleted, found new finalizers []string{{{}}}",
                                             fresh));
}

// Only for custom resources.
void warn_of_finalizers(Call& call, const Value& object, const Value& old) {
  if (call.type->origin != Origin::kDefinition) return;
  std::vector<std::string> before = krm::finalizers_of(old);
  before.emplace_back("orphan");
  before.emplace_back("foregroundDeletion");
  std::vector<std::string> all = krm::finalizers_of(object);
  std::sort(all.begin(), all.end());
  for (const std::string& each : all)
    if (each.find('/') == std::string::npos &&
        std::find(before.begin(), before.end(), each) == before.end())
      call.warnings.push_back(
          fmt::format("metadata.finalizers: {}: prefer a domain-qualified finalizer name to avoid "
                      "accidental conflicts with other finalizer writers",
                      schema::go_quoted(each)));
}

// `sent` with the server-set fields of `metadata`.
Value with_server_fields(const Value& sent, const Value& metadata) {
  const Value& before = sent["metadata"];
  Value out = before;
  for (const std::string_view field : kServerFields) {
    const Value* const had = metadata.find(field);
    const Value* const has = out.find(field);
    if (had == nullptr)
      out = out.without(field);
    else if (has == nullptr || !has->same_as(*had))
      out = out.with(field, *had);
  }
  return out.same_as(before) ? sent : sent.with("metadata", std::move(out));
}

// `object` with the member `name` of `other`.
Value with_member_of(const Value& object, const Value& other, std::string_view name) {
  const Value* member = other.find(name);
  return member != nullptr ? object.with(name, *member) : object.without(name);
}

}  // namespace

StatusOr<Value> taken_in(Call& call, const Value& object, FieldValidation validation) {
  kubeapi::TakenDefinition cleaned{object, {}};
  if (is_definition(call)) cleaned = kubeapi::take_in_schemas(object);
  auto taken = schema::take_in(cleaned.object, call.version->schema);
  if (!taken) return undecodable(call, object, taken.error().what);
  if (validation == FieldValidation::kIgnore) return std::move(taken->object);
  std::vector<std::string> faults = faults_of_text(call);
  for (const std::string& path : taken->unknown) faults.push_back(schema::unknown_field(path));
  for (const std::string& path : cleaned.unknown) faults.push_back(schema::unknown_field(path));
  if (validation == FieldValidation::kStrict && !faults.empty())
    return undecodable(call, object, fmt::format("strict decoding error: {}", joined(faults)));
  if (validation == FieldValidation::kWarn)
    call.warnings.insert(call.warnings.end(), faults.begin(), faults.end());
  return std::move(taken->object);
}

StatusOr<Value> shown(const kubeapi::ResourceType& type, std::string_view version,
                      const Value& object) {
  PORTICO_TRY(Value out, kubeapi::at_version(object, type, version));
  if (type.names.group.empty() && type.names.kind == "Namespace") out = namespace_seen(out);
  if (!type.has_generation()) out = out.without_at({"metadata", "generation"});
  const Value always = always_said(type);
  for (const json::Member& member : always.members())
    if (!out.contains(member.name())) out = out.with(member.name(), member.value);
  return out;
}

StatusOr<Value> shown(const Call& call, const Value& object) {
  return shown(*call.type, call.info.version, call.view ? call.view->show(object) : object);
}

StatusOr<Prepared> prepare_create(Call& call, const Value& sent, FieldValidation validation) {
  const Value& metadata = sent["metadata"];
  const std::string_view ns = metadata["namespace"].as_string();
  if (call.type->namespaced && !ns.empty() && ns != call.info.ns)
    return kubeapi::bad_request(
        "the namespace of the provided object does not match the namespace sent on the request");
  if (!metadata["resourceVersion"].as_string().empty())
    return kubeapi::plain_error("resourceVersion should not be set on objects to be created");

  Value object = with_server_fields(sent, Value());
  object = object.without_at({"metadata", "resourceVersion"});
  object = call.type->namespaced ? object.with_at({"metadata", "namespace"}, call.info.ns)
                                 : object.without_at({"metadata", "namespace"});
  if (call.version->has_status) object = object.without("status");
  PORTICO_TRY(object, taken_in(call, object, validation));
  PORTICO_TRY(object, core_prepare(call, object));
  warn_of_finalizers(call, object, Value());
  Prepared out{filled_in(call, object, Value()), object};
  std::vector<Cause> causes =
      schema::create_causes(out.object, call.version->schema, rules_of(call));
  core_causes(call, out.object, Value(), causes);
  if (!causes.empty())
    return kubeapi::invalid_object(call.named(), krm::name_of(object), std::move(causes));
  if (call.named().group != api::kConfigGroup) return out;
  return admit(call, Value(), object);
}

namespace {

// The metadata sent in a status write: owned, as in Kubernetes, but not stored.
Value with_sent_metadata(const Value& changed, const Value& sent) {
  Value out = changed;
  for (const char* field : {"annotations", "finalizers", "labels", "ownerReferences"}) {
    const Value* value = sent["metadata"].find(field);
    out = value != nullptr ? out.with_at({"metadata", field}, *value)
                           : out.without_at({"metadata", field});
  }
  return out;
}

}  // namespace

StatusOr<Prepared> prepare_update(Call& call, const Value& old, const Value& sent, Part part,
                                  FieldValidation validation) {
  if (auto cause = new_finalizers(old, sent); cause && part != Part::kStatus)
    return kubeapi::invalid_object(call.named(), krm::name_of(old), {*std::move(cause)});
  Value object = with_server_fields(sent, old["metadata"]);
  if (call.type->namespaced) object = object.with_at({"metadata", "namespace"}, call.info.ns);
  Value with_metadata;  // set for a status write
  if (part == Part::kStatus) {
    Value changed = with_member_of(old, object, "status");
    if (const Value* managers = object["metadata"].find("managedFields"))
      changed = changed.with_at({"metadata", "managedFields"}, *managers);
    if (call.type->origin == Origin::kDefinition)
      with_metadata = with_sent_metadata(changed, object);
    object = std::move(changed);
  } else if (call.version->has_status) {
    object = with_member_of(object, old, "status");
  }
  PORTICO_TRY(object, taken_in(call, object, validation));
  PORTICO_TRY(object, core_prepare(call, object));
  if (part == Part::kMain) warn_of_finalizers(call, object, old);
  Prepared out{part == Part::kMain ? filled_in(call, object, old) : object, object};
  if (!with_metadata.is_null())
    out.written = with_member_of(with_member_of(with_metadata, object, "spec"), object, "status");
  std::vector<Cause> causes =
      schema::update_causes(out.object, old, call.version->schema, rules_of(call));
  core_causes(call, out.object, old, causes);
  if (!causes.empty())
    return kubeapi::invalid_object(call.named(), krm::name_of(object), std::move(causes));
  if (call.named().group != api::kConfigGroup) return out;
  if (part == Part::kStatus) {
    PORTICO_TRY(out.object,
                kubeapi::at_version(out.object, *call.type, call.type->storage_version));
    return out;
  }
  return admit(call, old, object);
}

}  // namespace portico::apiserver
