#include "admission/admission.h"

#include <optional>

#include "admission/secret_type.h"
#include "api/decode.h"
#include "api/function_config.h"
#include "api/kinds.h"
#include "api/old_package_variant_set.h"
#include "api/package_variant.h"
#include "api/package_variant_set.h"
#include "api/refusal.h"
#include "api/repository.h"
#include "base/hash.h"
#include "krm/meta.h"
#include "krm/type_names.h"
#include "variants/expand.h"

namespace portico::admission {
namespace {

using json::Value;

template <class Kind>
Result<Admitted> decoded(const Value& object) {
  PORTICO_TRY(auto decoded, api::decode_reporting<Kind>(object));
  Admitted out{object, std::move(decoded.warnings)};
  for (Cause& cause : decoded.unknown) out.warnings.push_back(std::move(cause.message));
  return out;
}

Result<Admitted> admit_set(const Value& object) {
  if (!api::is_old_set(object)) return decoded<api::PackageVariantSet>(object);
  PORTICO_TRY(api::ConvertedSet converted, api::convert_old_set(object));
  PORTICO_TRY(Admitted out, decoded<api::PackageVariantSet>(converted.object));
  out.warnings.insert(out.warnings.begin(), converted.warnings.begin(), converted.warnings.end());
  return out;
}

/// A Secret as the Kubernetes API stores it: stringData is encoded and merged into data. No error
/// quotes a value.
Result<Admitted> admit_secret(const Value& secret) {
  for (const char* part : {"data", "stringData"}) {
    const Value& entries = secret[part];
    if (!entries.is_null() && !entries.is_object()) return invalid("must be a map").in(part);
    for (const json::Member& entry : entries.members()) {
      std::string bytes;
      const std::string place = fmt::format("{}.{}", part, entry.name());
      if (!entry.value.is_string()) return invalid("must be a string").in(place);
      if (std::string_view(part) == "data" && !base64_decode(entry.value.as_string(), bytes))
        return invalid("is not base64; use stringData for plain text").in(place);
    }
  }
  Value out = secret.without("stringData");
  for (const json::Member& entry : secret["stringData"].members())
    out = out.with_at({"data", entry.name()}, base64_encode(entry.value.as_string()));
  return Admitted{std::move(out), {}};
}

Result<std::vector<Cause>> judge_repository(const Value& stored, const Value& wanted) {
  PORTICO_TRY(const auto repository, api::decode<api::Repository>(wanted));
  // No comparison with an object that is being deleted, since it goes anyway, or that cannot be
  // decoded, since any change improves it.
  std::optional<api::Repository> old;
  if (!stored.is_null() && !krm::is_deleting(stored))
    if (const auto before = api::decode<api::Repository>(stored)) old = api::with_defaults(*before);
  return api::validate(api::with_defaults(repository), old ? &*old : nullptr);
}

Result<std::vector<Cause>> judge_variant(const Value&, const Value& wanted) {
  PORTICO_TRY(const auto variant, api::decode<api::PackageVariant>(wanted));
  return api::validate(variant.spec);
}

Result<std::vector<Cause>> judge_set(const Value&, const Value& wanted) {
  static const Result<variants::ExpressionLanguage> kLanguage =
      variants::ExpressionLanguage::make();
  PORTICO_TRY(const auto set, api::decode<api::PackageVariantSet>(wanted));
  std::vector<Cause> wrong = api::validate(set.spec);
  if (!kLanguage) return kLanguage.error();
  if (auto compiled = variants::compile_set(*kLanguage, set.spec); !compiled)
    for (const Cause& cause : compiled.error().causes) wrong.push_back(cause);
  return wrong;
}

Result<std::vector<Cause>> judge_function_config(const Value&, const Value& wanted) {
  PORTICO_TRY(const auto config, api::decode<api::FunctionConfig>(wanted));
  return api::validate(config);
}

Result<std::vector<Cause>> judge_secret(const Value& stored, const Value& wanted) {
  const std::string type = secret_type(wanted);
  std::vector<Cause> wrong;
  if (!stored.is_null() && secret_type(stored) != type)
    wrong.push_back(
        {"FieldValueInvalid",
         fmt::format(
             "type: cannot change from \"{}\" to \"{}\"; delete the Secret and create it again",
             secret_type(stored), type),
         "type"});
  for (const SecretFault& fault : secret_faults(wanted)) {
    const bool missing = fault.why.empty();
    wrong.push_back(
        {missing ? "FieldValueRequired" : "FieldValueInvalid",
         missing ? fmt::format("{}: required for a Secret of type \"{}\"", fault.field, type)
                 : fmt::format("{}: {}", fault.field, fault.why),
         fault.field});
  }
  return wrong;
}

// The part that judge() checks: it is accepted if it has not changed.
Value judged_part(const Value& object) {
  if (krm::group_kind(object) != krm::GroupKind{"", "Secret"}) return object["spec"];
  return Value::object({{"type", secret_type(object)},
                        {"data", object["data"]},
                        {"annotations", object["metadata"]["annotations"]}});
}

struct Rules {
  krm::GroupKind kind;
  Result<Admitted> (*admit)(const Value& object);
  /// What is wrong with the judged part of `wanted`, which replaces `stored` (null: there is none).
  Result<std::vector<Cause>> (*judge)(const Value& stored, const Value& wanted);
};

const Rules* rules_of(const Value& object) {
  static const std::vector<Rules> kAll = {
      {api::repository_kind(), decoded<api::Repository>, judge_repository},
      {api::variant_kind(), decoded<api::PackageVariant>, judge_variant},
      {api::variant_set_kind(), admit_set, judge_set},
      {api::function_config_kind(), decoded<api::FunctionConfig>, judge_function_config},
      {{"", "Secret"}, admit_secret, judge_secret},
  };
  const krm::GroupKind kind = krm::group_kind(object);
  for (const Rules& rules : kAll)
    if (rules.kind == kind) return &rules;
  return nullptr;
}

}  // namespace

Result<Admitted> admit(const Value& object) {
  PORTICO_DO(krm::validate_type(object));
  PORTICO_DO(krm::validate_metadata(object));
  if (const Rules* rules = rules_of(object)) return rules->admit(object);
  if (krm::group_kind(object).group == api::kPorchGroup)
    return invalid("{} objects cannot be applied; use portico rpkg", krm::group_kind(object).kind);
  return Admitted{object, {}};
}

Result<Done> judge(const Value& stored, const Value& wanted) {
  const Rules* rules = rules_of(wanted);
  if (rules == nullptr) return Done{};
  if (!stored.is_null() && judged_part(stored) == judged_part(wanted)) return Done{};
  PORTICO_TRY(std::vector<Cause> wrong, rules->judge(stored, wanted));
  if (!wrong.empty()) return api::refusal(std::move(wrong));
  return Done{};
}

Result<Done> admit_revision(const Value& stored, const Value& wanted) {
  if (stored.is_null())
    return not_found("PackageRevision objects cannot be created by applying; use portico rpkg");
  const auto rest = [](const Value& object) {
    Value out = object.without("status");
    for (const char* field : {"labels", "annotations", "resourceVersion", "managedFields"})
      out = out.without_at({"metadata", field});
    return out;
  };
  const Value before = rest(stored), after = rest(wanted);
  for (const json::Member& member : after.members())
    if (member.value != before[member.name()])
      return invalid(
                 "only labels and annotations of a PackageRevision can be applied; its content is "
                 "changed "
                 "with portico rpkg push, its lifecycle with portico rpkg propose, approve and "
                 "reject")
          .in(std::string(member.name()));
  return Done{};
}

}  // namespace portico::admission
