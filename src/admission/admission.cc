#include "admission/admission.h"

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

namespace portico::admission {
namespace {

using json::Value;

template <class Kind>
Result<std::vector<std::string>> check(const Value& object) {
  PORTICO_TRY(auto decoded, api::decode_reporting<Kind>(object));
  std::vector<std::string> warnings = std::move(decoded.warnings);
  for (Cause& cause : decoded.unknown) warnings.push_back(std::move(cause.message));
  return warnings;
}

/// A Secret as the Kubernetes API stores it: stringData goes, encoded, into data. No error quotes a
/// value.
Result<Value> admit_secret(const Value& secret) {
  for (const char* part : {"data", "stringData"}) {
    const Value& entries = secret[part];
    if (!entries.is_null() && !entries.is_object()) return invalid("must be a map").in(part);
    for (const json::Member& entry : entries.members()) {
      std::string bytes;
      const std::string place = fmt::format("{}.{}", part, entry.name());
      if (!entry.value.is_string()) return invalid("must be a string").in(place);
      if (std::string_view(part) == "data" && !base64_decode(entry.value.as_string(), bytes))
        return invalid("is not base64; plain text goes into stringData").in(place);
    }
  }
  Value out = secret.without("stringData");
  for (const json::Member& entry : secret["stringData"].members())
    out = out.with_at({"data", entry.name()}, base64_encode(entry.value.as_string()));
  return out;
}

}  // namespace

Result<Admitted> admit(const Value& object) {
  PORTICO_DO(krm::validate_metadata(object));
  Admitted out{object, {}};
  const krm::GroupKind kind = krm::group_kind(object);
  if (kind == api::repository_kind()) {
    PORTICO_TRY(out.warnings, check<api::Repository>(object));
    PORTICO_TRY(const auto decoded, api::decode<api::Repository>(object));
    if (const auto wrong = api::validate(api::with_defaults(decoded)); !wrong.empty())
      return api::refusal(wrong);
  } else if (kind == api::variant_kind()) {
    PORTICO_TRY(out.warnings, check<api::PackageVariant>(object));
  } else if (kind == api::variant_set_kind()) {
    if (api::is_old_set(object)) {
      PORTICO_TRY(api::ConvertedSet converted, api::convert_old_set(object));
      out = {std::move(converted.object), std::move(converted.warnings)};
    }
    PORTICO_TRY(const auto warnings, check<api::PackageVariantSet>(out.object));
    out.warnings.insert(out.warnings.end(), warnings.begin(), warnings.end());
  } else if (kind == api::function_config_kind()) {
    PORTICO_TRY(out.warnings, check<api::FunctionConfig>(object));
    PORTICO_TRY(const auto decoded, api::decode<api::FunctionConfig>(object));
    if (const auto wrong = api::validate(decoded); !wrong.empty()) return api::refusal(wrong);
  } else if (kind.group.empty() && kind.kind == "Secret") {
    PORTICO_TRY(out.object, admit_secret(object));
  } else if (kind.group == api::kPorchGroup) {
    return invalid("{} objects cannot be applied; use portico rpkg", kind.kind);
  }
  return out;
}

Result<Done> admit_update(const Value& stored, const Value& wanted) {
  if (krm::group_kind(wanted) != api::repository_kind() || krm::is_deleting(stored)) return Done{};
  const auto before = api::decode<api::Repository>(stored);
  if (!before) return Done{};  // anything is better than what cannot be read
  PORTICO_TRY(const auto after, api::decode<api::Repository>(wanted));
  const api::Repository old = api::with_defaults(*before);
  if (const auto wrong = api::validate(api::with_defaults(after), &old); !wrong.empty())
    return api::refusal(wrong);
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
