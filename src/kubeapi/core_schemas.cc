#include "kubeapi/core_schemas.h"

#include "json/patch.h"
#include "json/text.h"
#include "kubeapi/internal/core_texts.h"

namespace portico::kubeapi {

namespace {

struct Row {
  std::string_view group, kind, properties;
};

constexpr std::string_view kEvent = R"(
  "involvedObject":{"type":"object","x-kubernetes-map-type":"atomic",
                    "x-kubernetes-preserve-unknown-fields":true},
  "regarding":{"type":"object","x-kubernetes-map-type":"atomic",
               "x-kubernetes-preserve-unknown-fields":true},
  "related":{"type":"object","x-kubernetes-map-type":"atomic",
             "x-kubernetes-preserve-unknown-fields":true},
  "source":{"type":"object","properties":{"component":{"type":"string"},"host":{"type":"string"}}},
  "deprecatedSource":{"type":"object",
    "properties":{"component":{"type":"string"},"host":{"type":"string"}}},
  "series":{"type":"object","properties":{"count":{"type":"integer"},
    "lastObservedTime":{"type":"string"}}},
  "reason":{"type":"string"},"message":{"type":"string"},"note":{"type":"string"},
  "type":{"type":"string"},"count":{"type":"integer"},"deprecatedCount":{"type":"integer"},
  "firstTimestamp":{"type":"string","nullable":true},
  "lastTimestamp":{"type":"string","nullable":true},
  "deprecatedFirstTimestamp":{"type":"string","nullable":true},
  "deprecatedLastTimestamp":{"type":"string","nullable":true},
  "eventTime":{"type":"string","nullable":true},"action":{"type":"string"},
  "reportingComponent":{"type":"string"},"reportingController":{"type":"string"},
  "reportingInstance":{"type":"string"})";

constexpr std::string_view kRules = R"(
  "rules":{"type":"array","nullable":true,"x-kubernetes-list-type":"atomic","items":{"type":"object","properties":{
    "verbs":{"type":"array","items":{"type":"string"}},
    "apiGroups":{"type":"array","items":{"type":"string"}},
    "resources":{"type":"array","items":{"type":"string"}},
    "resourceNames":{"type":"array","items":{"type":"string"}},
    "nonResourceURLs":{"type":"array","items":{"type":"string"}}}}},
  "aggregationRule":{"type":"object","x-kubernetes-preserve-unknown-fields":true})";

constexpr std::string_view kBinding = R"(
  "subjects":{"type":"array","x-kubernetes-list-type":"atomic","items":{"type":"object",
    "properties":{"kind":{"type":"string"},"apiGroup":{"type":"string"},"name":{"type":"string"},
                  "namespace":{"type":"string"}}}},
  "roleRef":{"type":"object","x-kubernetes-map-type":"atomic","properties":{
    "apiGroup":{"type":"string"},"kind":{"type":"string"},"name":{"type":"string"}}})";

constexpr std::string_view kDefinitionNames = R"({"type":"object","properties":{
    "plural":{"type":"string"},"singular":{"type":"string"},"kind":{"type":"string"},
    "listKind":{"type":"string"},
    "shortNames":{"type":"array","x-kubernetes-list-type":"atomic","items":{"type":"string"}},
    "categories":{"type":"array","x-kubernetes-list-type":"atomic","items":{"type":"string"}}}})";

// The content of `schema` is checked separately (definition_schemas.cc).
constexpr std::string_view kDefinition = R"(
  "spec":{"type":"object","properties":{
    "group":{"type":"string"},"scope":{"type":"string"},"names":NAMES,
    "preserveUnknownFields":{"type":"boolean"},
    "conversion":{"type":"object","properties":{"strategy":{"type":"string"},
      "webhook":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}},
    "versions":{"type":"array","x-kubernetes-list-type":"atomic","items":{"type":"object",
      "properties":{"name":{"type":"string"},"served":{"type":"boolean"},
        "storage":{"type":"boolean"},"deprecated":{"type":"boolean"},
        "deprecationWarning":{"type":"string"},
        "schema":{"type":"object","properties":{"openAPIV3Schema":{"type":"object",
          "x-kubernetes-preserve-unknown-fields":true}}},
        "subresources":{"type":"object","properties":{
          "status":{"type":"object","x-kubernetes-preserve-unknown-fields":true},
          "scale":{"type":"object","properties":{"specReplicasPath":{"type":"string"},
            "statusReplicasPath":{"type":"string"},"labelSelectorPath":{"type":"string"}}}}},
        "additionalPrinterColumns":{"type":"array","x-kubernetes-list-type":"atomic",
          "items":{"type":"object","properties":{"name":{"type":"string"},
            "type":{"type":"string"},"format":{"type":"string"},"description":{"type":"string"},
            "priority":{"type":"integer"},"jsonPath":{"type":"string"}}}},
        "selectableFields":{"type":"array","x-kubernetes-list-type":"atomic",
          "items":{"type":"object","properties":{"jsonPath":{"type":"string"}}}}}}}}},
  "status":{"type":"object","properties":{
    "acceptedNames":NAMES,
    "conditions":{"type":"array","nullable":true,"x-kubernetes-list-type":"map",
      "x-kubernetes-list-map-keys":["type"],"items":{"type":"object","properties":{
        "type":{"type":"string"},"status":{"type":"string"},"reason":{"type":"string"},
        "message":{"type":"string"},"lastTransitionTime":{"type":"string","nullable":true}}}},
    "storedVersions":{"type":"array","x-kubernetes-list-type":"atomic","nullable":true,
      "items":{"type":"string"}}}})";

constexpr std::string_view kAccessTarget = R"("resourceAttributes":{"type":"object","properties":{
    "namespace":{"type":"string"},"verb":{"type":"string"},"group":{"type":"string"},
    "version":{"type":"string"},"resource":{"type":"string"},"subresource":{"type":"string"},
    "name":{"type":"string"},
    "fieldSelector":{"type":"object","x-kubernetes-preserve-unknown-fields":true},
    "labelSelector":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}},
  "nonResourceAttributes":{"type":"object","properties":{
    "path":{"type":"string"},"verb":{"type":"string"}}})";

constexpr std::string_view kSelfAccessReview =
    R"("spec":{"type":"object","properties":{TARGET}},"status":ACCESS)";

constexpr std::string_view kAccessReview = R"("spec":{"type":"object","properties":{TARGET,
    "user":{"type":"string"},"uid":{"type":"string"},
    "groups":{"type":"array","x-kubernetes-list-type":"atomic","items":{"type":"string"}},
    "extra":{"type":"object","additionalProperties":{"type":"array","items":{"type":"string"}}}}},
  "status":ACCESS)";

constexpr std::string_view kAccessAnswer = R"({"type":"object","properties":{
    "allowed":{"type":"boolean"},"denied":{"type":"boolean"},"reason":{"type":"string"},
    "evaluationError":{"type":"string"}}})";

constexpr std::string_view kRulesReview = R"(
  "spec":{"type":"object","properties":{"namespace":{"type":"string"}}},
  "status":{"type":"object","properties":{
    "resourceRules":{"type":"array","items":{"type":"object","properties":{
      "verbs":{"type":"array","items":{"type":"string"}},
      "apiGroups":{"type":"array","items":{"type":"string"}},
      "resources":{"type":"array","items":{"type":"string"}},
      "resourceNames":{"type":"array","items":{"type":"string"}}}}},
    "nonResourceRules":{"type":"array","items":{"type":"object","properties":{
      "verbs":{"type":"array","items":{"type":"string"}},
      "nonResourceURLs":{"type":"array","items":{"type":"string"}}}}},
    "incomplete":{"type":"boolean"},"evaluationError":{"type":"string"}}})";

constexpr std::string_view kUser = R"({"type":"object","properties":{
    "username":{"type":"string"},"uid":{"type":"string"},
    "groups":{"type":"array","x-kubernetes-list-type":"atomic","items":{"type":"string"}},
    "extra":{"type":"object","additionalProperties":{"type":"array","items":{"type":"string"}}}}})";

constexpr std::string_view kTokenReview = R"(
  "spec":{"type":"object","properties":{"token":{"type":"string"},
    "audiences":{"type":"array","x-kubernetes-list-type":"atomic","items":{"type":"string"}}}},
  "status":{"type":"object","properties":{"authenticated":{"type":"boolean"},"user":USER,
    "audiences":{"type":"array","x-kubernetes-list-type":"atomic","items":{"type":"string"}},
    "error":{"type":"string"}}})";

constexpr std::string_view kTokenRequest = R"(
  "spec":{"type":"object","properties":{"expirationSeconds":{"type":"integer"},
    "audiences":{"type":"array","x-kubernetes-list-type":"atomic","items":{"type":"string"}},
    "boundObjectRef":{"type":"object","properties":{"apiVersion":{"type":"string"},
      "kind":{"type":"string"},"name":{"type":"string"},"uid":{"type":"string"}}}}},
  "status":{"type":"object","properties":{"token":{"type":"string"},
    "expirationTimestamp":{"type":"string"}}})";

// Inserts the parts shared by several kinds.
std::string with_parts(std::string_view text) {
  constexpr std::pair<std::string_view, std::string_view> kParts[] = {{"NAMES", kDefinitionNames},
                                                                      {"TARGET", kAccessTarget},
                                                                      {"ACCESS", kAccessAnswer},
                                                                      {"USER", kUser}};
  std::string out(text);
  for (const auto& [mark, part] : kParts)
    for (std::size_t at = 0; (at = out.find(mark, at)) != std::string::npos; at += part.size())
      out.replace(at, mark.size(), part);
  return out;
}

constexpr Row kRows[] = {
    {"", "ConfigMap",
     R"("data":{"type":"object","additionalProperties":{"type":"string"}},
        "binaryData":{"type":"object",
                      "additionalProperties":{"type":"string","format":"byte"}},
        "immutable":{"type":"boolean"})"},
    {"", "Secret",
     R"("data":{"type":"object","additionalProperties":{"type":"string","format":"byte"}},
        "stringData":{"type":"object","additionalProperties":{"type":"string"}},
        "immutable":{"type":"boolean"},"type":{"type":"string"})"},
    {"", "Namespace",
     R"("spec":{"type":"object","properties":{
          "finalizers":{"type":"array","x-kubernetes-list-type":"atomic",
                        "items":{"type":"string"}}}},
        "status":{"type":"object","properties":{"phase":{"type":"string"},
          "conditions":{"type":"array","x-kubernetes-list-type":"map",
            "x-kubernetes-list-map-keys":["type"],
            "items":{"type":"object","properties":{"type":{"type":"string"},
              "status":{"type":"string"},"reason":{"type":"string"},"message":{"type":"string"},
              "lastTransitionTime":{"type":"string","nullable":true}}}}}})"},
    {"", "ServiceAccount",
     R"("secrets":{"type":"array","x-kubernetes-list-type":"map",
          "x-kubernetes-list-map-keys":["name"],
          "items":{"type":"object","x-kubernetes-map-type":"atomic","properties":{
            "name":{"type":"string"},"namespace":{"type":"string"},"kind":{"type":"string"},
            "uid":{"type":"string"},"apiVersion":{"type":"string"},
            "resourceVersion":{"type":"string"},"fieldPath":{"type":"string"}}}},
        "imagePullSecrets":{"type":"array","x-kubernetes-list-type":"atomic",
          "items":{"type":"object","x-kubernetes-map-type":"atomic",
                   "properties":{"name":{"type":"string"}}}},
        "automountServiceAccountToken":{"type":"boolean"})"},
    {"", "Event", kEvent},
    {"events.k8s.io", "Event", kEvent},
    {"coordination.k8s.io", "Lease",
     R"("spec":{"type":"object","properties":{"holderIdentity":{"type":"string"},
          "leaseDurationSeconds":{"type":"integer"},"acquireTime":{"type":"string"},
          "renewTime":{"type":"string"},"leaseTransitions":{"type":"integer"},
          "strategy":{"type":"string"},"preferredHolder":{"type":"string"}}})"},
    {"apiextensions.k8s.io", "CustomResourceDefinition", kDefinition},
    {"rbac.authorization.k8s.io", "Role", kRules},
    {"rbac.authorization.k8s.io", "ClusterRole", kRules},
    {"rbac.authorization.k8s.io", "RoleBinding", kBinding},
    {"rbac.authorization.k8s.io", "ClusterRoleBinding", kBinding},
    {"authorization.k8s.io", "SelfSubjectAccessReview", kSelfAccessReview},
    {"authorization.k8s.io", "SubjectAccessReview", kAccessReview},
    {"authorization.k8s.io", "LocalSubjectAccessReview", kAccessReview},
    {"authorization.k8s.io", "SelfSubjectRulesReview", kRulesReview},
    {"authentication.k8s.io", "TokenReview", kTokenReview},
    {"authentication.k8s.io", "TokenRequest", kTokenRequest},
    {"authentication.k8s.io", "SelfSubjectReview",
     R"("status":{"type":"object","properties":{"userInfo":USER}})"},
};

}  // namespace

schema::Schema core_schema(std::string_view group, std::string_view kind) {
  for (const Row& row : kRows) {
    if (row.group != group || row.kind != kind) continue;
    const auto value = json::parse(
        fmt::format(R"({{"type":"object","properties":{{{}}}}})", with_parts(row.properties)));
    if (!value) break;
    if (auto parsed = schema::parse(json::with_merge_patch(*value, core_texts(group, kind))))
      return *std::move(parsed);
  }
  return free_schema();
}

schema::Schema free_schema() {
  auto out = std::make_shared<schema::Node>();
  out->type = schema::Type::kObject;
  out->preserve_unknown_fields = true;
  return schema::Schema(std::move(out));
}

}  // namespace portico::kubeapi
