#include "cli/admission.h"

#include "api/decode.h"
#include "api/kinds.h"
#include "api/old_package_variant_set.h"
#include "api/package_variant.h"
#include "api/package_variant_set.h"
#include "api/repository.h"
#include "krm/meta.h"

namespace portico::cli {
namespace {

using json::Value;

template <class Kind>
Result<std::vector<std::string>> check(const Value& object) {
  PORTICO_TRY(auto decoded, api::decode_reporting<Kind>(object));
  return std::move(decoded.warnings);
}

}  // namespace

Result<Admitted> admit(const Value& object) {
  PORTICO_DO(krm::validate_metadata(object));
  Admitted out{object, {}};
  const krm::GroupKind kind = krm::group_kind(object);
  if (kind.group == api::kConfigGroup && kind.kind == api::kRepositoryKind) {
    PORTICO_TRY(out.warnings, check<api::Repository>(object));
    PORTICO_TRY(const auto decoded, api::decode<api::Repository>(object));
    if (const auto wrong = api::validate(api::with_defaults(decoded)); !wrong.empty())
      return invalid("{}", fmt::join(wrong, "; "));
  } else if (kind.group == api::kConfigGroup && kind.kind == api::kVariantKind) {
    PORTICO_TRY(out.warnings, check<api::PackageVariant>(object));
  } else if (kind.group == api::kConfigGroup && kind.kind == api::kVariantSetKind) {
    if (api::is_old_set(object)) {
      PORTICO_TRY(api::ConvertedSet converted, api::convert_old_set(object));
      out = {std::move(converted.object), std::move(converted.warnings)};
    }
    PORTICO_TRY(const auto warnings, check<api::PackageVariantSet>(out.object));
    out.warnings.insert(out.warnings.end(), warnings.begin(), warnings.end());
  } else if (kind.group == api::kPorchGroup) {
    return invalid("{} objects cannot be applied; use portico rpkg", kind.kind);
  }
  return out;
}

}  // namespace portico::cli
