#include "apiserver/strategy.h"

#include <algorithm>
#include <array>

#include "admission/admission.h"
#include "api/kinds.h"
#include "apiserver/internal/core_rules.h"
#include "kubeapi/answers.h"
#include "schema/causes.h"
#include "schema/object.h"

namespace portico::apiserver {

using json::Value;
using kubeapi::FieldValidation;
using kubeapi::Origin;
using kubeapi::Reply;

namespace {

// What only a server sets.
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

Reply<Value> take_in(Call& call, const Value& object, FieldValidation validation) {
  auto taken = schema::take_in(object, call.version->schema);
  if (!taken)
    return kubeapi::bad_request(fmt::format("{} in version \"{}\" cannot be handled as a {}: {}",
                                            call.named().kind, call.info.version, call.named().kind,
                                            taken.error().what));
  if (!taken->unknown.empty() && validation == FieldValidation::kStrict) {
    std::string all;
    for (const std::string& path : taken->unknown)
      all += (all.empty() ? "" : ", ") + schema::unknown_field(path);
    return kubeapi::bad_request(
        fmt::format("{} in version \"{}\" cannot be handled as a {}: "
                    "strict decoding error: {}",
                    call.named().kind, call.info.version, call.named().kind, all));
  }
  if (validation == FieldValidation::kWarn)
    for (const std::string& path : taken->unknown)
      call.warnings.push_back(schema::unknown_field(path));
  return std::move(taken->object);
}

// What the controllers and the command line check of our own kinds, too.
Reply<Value> admit(Call& call, const Value& object) {
  const std::string_view group = call.named().group;
  if (group != api::kConfigGroup) return object;
  auto admitted = admission::admit(object);
  if (!admitted) return kubeapi::refusal_of(admitted.error(), call.named(), krm::name_of(object));
  for (std::string& warning : admitted->warnings) call.warnings.push_back(std::move(warning));
  return std::move(admitted->object);
}

// An object that is being deleted takes no more finalizers.
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

// The members that a read-only part keeps from what is stored.
Value with_member_of(const Value& object, const Value& other, std::string_view name) {
  const Value* member = other.find(name);
  return member != nullptr ? object.with(name, *member) : object.without(name);
}

}  // namespace

Value shown(const Call& call, const Value& object) {
  Value out = kubeapi::at_version(call.view ? call.view->show(object) : object, *call.type,
                                  call.info.version);
  return call.type->has_generation() ? out : out.without_at({"metadata", "generation"});
}

Reply<Value> prepare_create(Call& call, const Value& sent, FieldValidation validation) {
  const Value& metadata = sent["metadata"];
  const std::string_view ns = metadata["namespace"].as_string();
  if (call.type->namespaced && !ns.empty() && ns != call.info.ns)
    return kubeapi::bad_request(
        "the namespace of the provided object does not match the namespace sent on the request");
  if (!metadata["resourceVersion"].as_string().empty())
    return kubeapi::plain_error("resourceVersion should not be set on objects to be created");

  Value object = sent;
  for (const std::string_view field : kServerFields)
    object = object.without_at({"metadata", field});
  object = object.without_at({"metadata", "resourceVersion"});
  object = call.type->namespaced ? object.with_at({"metadata", "namespace"}, call.info.ns)
                                 : object.without_at({"metadata", "namespace"});
  if (call.version->has_status) object = object.without("status");
  PORTICO_TRY(object, take_in(call, object, validation));
  PORTICO_TRY(object, core_prepare(call, object));
  std::vector<Cause> causes = schema::create_causes(object, call.version->schema, rules_of(call));
  core_causes(call, object, Value(), causes);
  if (!causes.empty())
    return kubeapi::invalid_object(call.named(), krm::name_of(object), std::move(causes));
  return admit(call, object);
}

Reply<Value> prepare_update(Call& call, const Value& old, const Value& sent, Part part,
                            FieldValidation validation) {
  if (auto cause = new_finalizers(old, sent))
    return kubeapi::invalid_object(call.named(), krm::name_of(old), {*std::move(cause)});
  Value object = sent;
  for (const std::string_view field : kServerFields) {
    const Value* had = old["metadata"].find(field);
    object = had != nullptr ? object.with_at({"metadata", field}, *had)
                            : object.without_at({"metadata", field});
  }
  if (call.type->namespaced) object = object.with_at({"metadata", "namespace"}, call.info.ns);
  if (part == Part::kStatus) {
    Value changed = with_member_of(old, object, "status");
    if (const Value* managers = object["metadata"].find("managedFields"))
      changed = changed.with_at({"metadata", "managedFields"}, *managers);
    object = std::move(changed);
  } else if (call.version->has_status) {
    object = with_member_of(object, old, "status");
  }
  PORTICO_TRY(object, take_in(call, object, validation));
  PORTICO_TRY(object, core_prepare(call, object));
  std::vector<Cause> causes =
      schema::update_causes(object, old, call.version->schema, rules_of(call));
  core_causes(call, object, old, causes);
  if (!causes.empty())
    return kubeapi::invalid_object(call.named(), krm::name_of(object), std::move(causes));
  if (part == Part::kStatus) return object;
  PORTICO_TRY(object, admit(call, object));
  if (call.named().group == api::kConfigGroup)
    if (const auto allowed = admission::admit_update(old, object); !allowed)
      return kubeapi::refusal_of(allowed.error(), call.named(), krm::name_of(object));
  return object;
}

}  // namespace portico::apiserver
