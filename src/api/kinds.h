// Names shared by clients and controllers: groups, kinds, finalizers, labels, annotations.
#pragma once

#include <string>
#include <string_view>

#include "krm/meta.h"

namespace portico::api {

inline constexpr std::string_view kConfigGroup = "config.porch.kpt.dev";
inline constexpr std::string_view kPorchGroup = "porch.kpt.dev";

inline constexpr std::string_view kConfigV1Alpha1 = "config.porch.kpt.dev/v1alpha1";
inline constexpr std::string_view kConfigV1Alpha2 = "config.porch.kpt.dev/v1alpha2";
inline constexpr std::string_view kPorchV1Alpha1 = "porch.kpt.dev/v1alpha1";

inline constexpr std::string_view kRepositoryKind = "Repository";
inline constexpr std::string_view kVariantKind = "PackageVariant";
inline constexpr std::string_view kVariantSetKind = "PackageVariantSet";
inline constexpr std::string_view kFunctionConfigKind = "FunctionConfig";
inline constexpr std::string_view kRevisionKind = "PackageRevision";
inline constexpr std::string_view kResourcesKind = "PackageRevisionResources";
inline constexpr std::string_view kPackageKind = "PorchPackage";

/// The kinds as lookup keys.
inline const krm::GroupKind& repository_kind() {
  static const krm::GroupKind kKind{std::string(kConfigGroup), std::string(kRepositoryKind)};
  return kKind;
}
inline const krm::GroupKind& variant_kind() {
  static const krm::GroupKind kKind{std::string(kConfigGroup), std::string(kVariantKind)};
  return kKind;
}
inline const krm::GroupKind& variant_set_kind() {
  static const krm::GroupKind kKind{std::string(kConfigGroup), std::string(kVariantSetKind)};
  return kKind;
}
inline const krm::GroupKind& function_config_kind() {
  static const krm::GroupKind kKind{std::string(kConfigGroup), std::string(kFunctionConfigKind)};
  return kKind;
}
inline const krm::GroupKind& revision_kind() {
  static const krm::GroupKind kKind{std::string(kPorchGroup), std::string(kRevisionKind)};
  return kKind;
}
inline const krm::GroupKind& package_resources_kind() {
  static const krm::GroupKind kKind{std::string(kPorchGroup), std::string(kResourcesKind)};
  return kKind;
}
inline const krm::GroupKind& package_kind() {
  static const krm::GroupKind kKind{std::string(kPorchGroup), std::string(kPackageKind)};
  return kKind;
}

/// On a PackageVariant until its deletion policy has been carried out.
inline constexpr std::string_view kVariantFinalizer = "config.porch.kpt.dev/packagevariants";
/// On a PackageVariant created by a set; the value is the set's uid.
inline constexpr std::string_view kVariantSetLabel = "config.porch.kpt.dev/packagevariantset";

inline constexpr std::string_view kLatestRevisionLabel = "kpt.dev/latest-revision";
/// Portico only, on a PackageRevision whose deletion a variant proposed: "namespace/name" of that
/// variant, which withdraws the proposal if it wants the package again.
inline constexpr std::string_view kLetGoAnnotation = "config.porch.kpt.dev/let-go-by";
/// Portico only, on a PackageRevision: "namespace/name" of the variant that made its commit (from
/// the commit's trailer), so that a lost store can be rebuilt from the repositories.
inline constexpr std::string_view kVariantAnnotation = "config.porch.kpt.dev/variant";
inline constexpr std::string_view kPushOnRenderFailure = "porch.kpt.dev/push-on-render-failure";

/// On an in-package object: "required" or "optional" makes it an injection point.
inline constexpr std::string_view kInjectionPoint = "kpt.dev/config-injection";
/// On an injection point: the name of the injected object. The older name is read and replaced.
inline constexpr std::string_view kInjectedResource = "kpt.dev/injected-resource";
inline constexpr std::string_view kInjectedResourceOld = "kpt.dev/injected-resource-name";

/// On a PackageVariantSet: the generation for which deleting all unwanted variants is confirmed.
inline constexpr std::string_view kConfirmDeletion = "portico.dev/confirm-deletion";

/// Portico only, on a PackageVariant, a PackageVariantSet or a Repository: while it is "true", the
/// object is left alone. It is an annotation and not part of the spec, so the author of the object
/// need not know about it.
inline constexpr std::string_view kSuspend = "portico.dev/suspend";

inline constexpr std::string_view kAdoptNone = "adoptNone";
inline constexpr std::string_view kAdoptExisting = "adoptExisting";
inline constexpr std::string_view kPolicyDelete = "delete";
inline constexpr std::string_view kPolicyOrphan = "orphan";

}  // namespace portico::api
