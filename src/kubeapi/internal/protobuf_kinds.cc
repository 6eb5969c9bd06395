#include "kubeapi/internal/protobuf_kinds.h"

#include <algorithm>

namespace portico::kubeapi {

namespace {

constexpr bool kMany = true, kOne = false, kZero = true;

constexpr ProtoField text(std::uint32_t number, std::string_view name) {
  return {number, name, Proto::kText};
}
constexpr ProtoField texts(std::uint32_t number, std::string_view name) {
  return {number, name, Proto::kText, kMany};
}
constexpr ProtoField number(std::uint32_t at, std::string_view name) {
  return {at, name, Proto::kInt};
}
constexpr ProtoField pointer(std::uint32_t number, std::string_view name, Proto type) {
  return {number, name, type, kOne, kZero};
}
constexpr ProtoField time(std::uint32_t number, std::string_view name) {
  return {number, name, Proto::kTime};
}
constexpr ProtoField micro_time(std::uint32_t number, std::string_view name) {
  return {number, name, Proto::kMicroTime};
}
constexpr ProtoField map(std::uint32_t number, std::string_view name) {
  return {number, name, Proto::kTextMap};
}
constexpr ProtoField message(std::uint32_t number, std::string_view name, std::string_view type) {
  return {number, name, Proto::kMessage, kOne, false, type};
}
constexpr ProtoField messages(std::uint32_t number, std::string_view name, std::string_view type) {
  return {number, name, Proto::kMessage, kMany, false, type};
}

constexpr ProtoField kMetadata = message(1, "metadata", "ObjectMeta");

constexpr ProtoField kObjectMeta[] = {text(1, "name"),
                                      text(2, "generateName"),
                                      text(3, "namespace"),
                                      text(4, "selfLink"),
                                      text(5, "uid"),
                                      text(6, "resourceVersion"),
                                      number(7, "generation"),
                                      time(8, "creationTimestamp"),
                                      time(9, "deletionTimestamp"),
                                      pointer(10, "deletionGracePeriodSeconds", Proto::kInt),
                                      map(11, "labels"),
                                      map(12, "annotations"),
                                      messages(13, "ownerReferences", "OwnerReference"),
                                      texts(14, "finalizers"),
                                      messages(17, "managedFields", "ManagedFieldsEntry")};
constexpr ProtoField kOwnerReference[] = {text(1, "kind"),
                                          text(3, "name"),
                                          text(4, "uid"),
                                          text(5, "apiVersion"),
                                          pointer(6, "controller", Proto::kBool),
                                          pointer(7, "blockOwnerDeletion", Proto::kBool)};
constexpr ProtoField kManagedFieldsEntry[] = {
    text(1, "manager"),    text(2, "operation"),  text(3, "apiVersion"),
    time(4, "time"),       text(6, "fieldsType"), {7, "fieldsV1", Proto::kRawJson},
    text(8, "subresource")};
constexpr ProtoField kObjectReference[] = {
    text(1, "kind"),       text(2, "namespace"),       text(3, "name"),     text(4, "uid"),
    text(5, "apiVersion"), text(6, "resourceVersion"), text(7, "fieldPath")};
constexpr ProtoField kLocalObjectReference[] = {text(1, "name")};
constexpr ProtoField kNamespaceSpec[] = {texts(1, "finalizers")};
constexpr ProtoField kNamespaceStatus[] = {text(1, "phase"),
                                           messages(2, "conditions", "NamespaceCondition")};
constexpr ProtoField kNamespaceCondition[] = {text(1, "type"), text(2, "status"),
                                              time(4, "lastTransitionTime"), text(5, "reason"),
                                              text(6, "message")};
constexpr ProtoField kEventSource[] = {text(1, "component"), text(2, "host")};
constexpr ProtoField kEventSeries[] = {number(1, "count"), micro_time(2, "lastObservedTime")};
constexpr ProtoField kLeaseSpec[] = {text(1, "holderIdentity"),
                                     pointer(2, "leaseDurationSeconds", Proto::kInt),
                                     micro_time(3, "acquireTime"),
                                     micro_time(4, "renewTime"),
                                     pointer(5, "leaseTransitions", Proto::kInt),
                                     text(6, "strategy"),
                                     text(7, "preferredHolder")};
constexpr ProtoField kPolicyRule[] = {texts(1, "verbs"), texts(2, "apiGroups"),
                                      texts(3, "resources"), texts(4, "resourceNames"),
                                      texts(5, "nonResourceURLs")};
constexpr ProtoField kSubject[] = {text(1, "kind"), text(2, "apiGroup"), text(3, "name"),
                                   text(4, "namespace")};
constexpr ProtoField kRoleRef[] = {text(1, "apiGroup"), text(2, "kind"), text(3, "name")};
constexpr ProtoField kAggregationRule[] = {messages(1, "clusterRoleSelectors", "LabelSelector")};
constexpr ProtoField kLabelSelector[] = {
    map(1, "matchLabels"), messages(2, "matchExpressions", "LabelSelectorRequirement")};
constexpr ProtoField kLabelSelectorRequirement[] = {text(1, "key"), text(2, "operator"),
                                                    texts(3, "values")};
constexpr ProtoField kResourceAttributes[] = {text(1, "namespace"),
                                              text(2, "verb"),
                                              text(3, "group"),
                                              text(4, "version"),
                                              text(5, "resource"),
                                              text(6, "subresource"),
                                              text(7, "name"),
                                              message(8, "fieldSelector", "SelectorAttributes"),
                                              message(9, "labelSelector", "SelectorAttributes")};
constexpr ProtoField kSelectorAttributes[] = {
    text(1, "rawSelector"), messages(2, "requirements", "LabelSelectorRequirement")};
constexpr ProtoField kNonResourceAttributes[] = {text(1, "path"), text(2, "verb")};
constexpr ProtoField kAccessReviewSpec[] = {
    message(1, "resourceAttributes", "ResourceAttributes"),
    message(2, "nonResourceAttributes", "NonResourceAttributes"),
    text(3, "user"),
    texts(4, "groups"),
    {5, "extra", Proto::kListsMap},
    text(6, "uid")};
constexpr ProtoField kSelfAccessReviewSpec[] = {
    message(1, "resourceAttributes", "ResourceAttributes"),
    message(2, "nonResourceAttributes", "NonResourceAttributes")};
constexpr ProtoField kRulesReviewSpec[] = {text(1, "namespace")};
constexpr ProtoField kTokenReviewSpec[] = {text(1, "token"), texts(2, "audiences")};
constexpr ProtoField kTokenRequestSpec[] = {texts(1, "audiences"),
                                            message(3, "boundObjectRef", "BoundObjectReference"),
                                            pointer(4, "expirationSeconds", Proto::kInt)};
constexpr ProtoField kBoundObjectReference[] = {text(1, "kind"), text(2, "apiVersion"),
                                                text(3, "name"), text(4, "uid")};
constexpr ProtoField kPreconditions[] = {text(1, "uid"), text(2, "resourceVersion")};

constexpr ProtoMessage kMessages[] = {
    {"AccessReviewSpec", kAccessReviewSpec},
    {"AggregationRule", kAggregationRule},
    {"BoundObjectReference", kBoundObjectReference},
    {"EventSeries", kEventSeries},
    {"EventSource", kEventSource},
    {"LabelSelector", kLabelSelector},
    {"LabelSelectorRequirement", kLabelSelectorRequirement},
    {"LeaseSpec", kLeaseSpec},
    {"LocalObjectReference", kLocalObjectReference},
    {"ManagedFieldsEntry", kManagedFieldsEntry},
    {"NamespaceCondition", kNamespaceCondition},
    {"NamespaceSpec", kNamespaceSpec},
    {"NamespaceStatus", kNamespaceStatus},
    {"NonResourceAttributes", kNonResourceAttributes},
    {"ObjectMeta", kObjectMeta},
    {"ObjectReference", kObjectReference},
    {"OwnerReference", kOwnerReference},
    {"PolicyRule", kPolicyRule},
    {"Preconditions", kPreconditions},
    {"ResourceAttributes", kResourceAttributes},
    {"RoleRef", kRoleRef},
    {"RulesReviewSpec", kRulesReviewSpec},
    {"SelectorAttributes", kSelectorAttributes},
    {"SelfAccessReviewSpec", kSelfAccessReviewSpec},
    {"Subject", kSubject},
    {"TokenRequestSpec", kTokenRequestSpec},
    {"TokenReviewSpec", kTokenReviewSpec},
};

constexpr ProtoField kConfigMap[] = {kMetadata,
                                     map(2, "data"),
                                     {3, "binaryData", Proto::kBytesMap},
                                     pointer(4, "immutable", Proto::kBool)};
constexpr ProtoField kSecret[] = {kMetadata,
                                  {2, "data", Proto::kBytesMap},
                                  text(3, "type"),
                                  map(4, "stringData"),
                                  pointer(5, "immutable", Proto::kBool)};
constexpr ProtoField kNamespace[] = {kMetadata, message(2, "spec", "NamespaceSpec"),
                                     message(3, "status", "NamespaceStatus")};
constexpr ProtoField kServiceAccount[] = {kMetadata, messages(2, "secrets", "ObjectReference"),
                                          messages(3, "imagePullSecrets", "LocalObjectReference"),
                                          pointer(4, "automountServiceAccountToken", Proto::kBool)};
constexpr ProtoField kCoreEvent[] = {kMetadata,
                                     message(2, "involvedObject", "ObjectReference"),
                                     text(3, "reason"),
                                     text(4, "message"),
                                     message(5, "source", "EventSource"),
                                     time(6, "firstTimestamp"),
                                     time(7, "lastTimestamp"),
                                     number(8, "count"),
                                     text(9, "type"),
                                     micro_time(10, "eventTime"),
                                     message(11, "series", "EventSeries"),
                                     text(12, "action"),
                                     message(13, "related", "ObjectReference"),
                                     text(14, "reportingComponent"),
                                     text(15, "reportingInstance")};
constexpr ProtoField kEvent[] = {kMetadata,
                                 micro_time(2, "eventTime"),
                                 message(3, "series", "EventSeries"),
                                 text(4, "reportingController"),
                                 text(5, "reportingInstance"),
                                 text(6, "action"),
                                 text(7, "reason"),
                                 message(8, "regarding", "ObjectReference"),
                                 message(9, "related", "ObjectReference"),
                                 text(10, "note"),
                                 text(11, "type"),
                                 message(12, "deprecatedSource", "EventSource"),
                                 time(13, "deprecatedFirstTimestamp"),
                                 time(14, "deprecatedLastTimestamp"),
                                 number(15, "deprecatedCount")};
constexpr ProtoField kLease[] = {kMetadata, message(2, "spec", "LeaseSpec")};
constexpr ProtoField kRole[] = {kMetadata, messages(2, "rules", "PolicyRule")};
constexpr ProtoField kClusterRole[] = {kMetadata, messages(2, "rules", "PolicyRule"),
                                       message(3, "aggregationRule", "AggregationRule")};
constexpr ProtoField kBinding[] = {kMetadata, messages(2, "subjects", "Subject"),
                                   message(3, "roleRef", "RoleRef")};
// Only the request part: the answer is never decoded.
constexpr ProtoField kAccessReview[] = {kMetadata, message(2, "spec", "AccessReviewSpec")};
constexpr ProtoField kSelfAccessReview[] = {kMetadata, message(2, "spec", "SelfAccessReviewSpec")};
constexpr ProtoField kRulesReview[] = {kMetadata, message(2, "spec", "RulesReviewSpec")};
constexpr ProtoField kSelfReview[] = {kMetadata};
constexpr ProtoField kTokenReview[] = {kMetadata, message(2, "spec", "TokenReviewSpec")};
constexpr ProtoField kTokenRequest[] = {kMetadata, message(2, "spec", "TokenRequestSpec")};
constexpr ProtoField kDeleteOptions[] = {
    pointer(1, "gracePeriodSeconds", Proto::kInt), message(2, "preconditions", "Preconditions"),
    pointer(3, "orphanDependents", Proto::kBool), text(4, "propagationPolicy"), texts(5, "dryRun")};

constexpr std::string_view kRbac = "rbac.authorization.k8s.io";
constexpr std::string_view kWho = "authentication.k8s.io", kMay = "authorization.k8s.io";
constexpr ProtoKind kKinds[] = {
    {"", "ConfigMap", kConfigMap},
    {"", "DeleteOptions", kDeleteOptions},
    {"", "Event", kCoreEvent},
    {"", "Namespace", kNamespace},
    {"", "Secret", kSecret},
    {"", "ServiceAccount", kServiceAccount},
    {kWho, "SelfSubjectReview", kSelfReview},
    {kWho, "TokenRequest", kTokenRequest},
    {kWho, "TokenReview", kTokenReview},
    {kMay, "LocalSubjectAccessReview", kAccessReview},
    {kMay, "SelfSubjectAccessReview", kSelfAccessReview},
    {kMay, "SelfSubjectRulesReview", kRulesReview},
    {kMay, "SubjectAccessReview", kAccessReview},
    {"coordination.k8s.io", "Lease", kLease},
    {"events.k8s.io", "Event", kEvent},
    {kRbac, "ClusterRole", kClusterRole},
    {kRbac, "ClusterRoleBinding", kBinding},
    {kRbac, "Role", kRole},
    {kRbac, "RoleBinding", kBinding},
};

}  // namespace

const ProtoMessage* proto_message(std::string_view name) {
  const auto* const found = std::find_if(std::begin(kMessages), std::end(kMessages),
                                         [name](const auto& one) { return one.name == name; });
  return found == std::end(kMessages) ? nullptr : found;
}

const ProtoKind* proto_kind(std::string_view group, std::string_view kind) {
  const auto* const found =
      std::find_if(std::begin(kKinds), std::end(kKinds),
                   [&](const ProtoKind& one) { return one.group == group && one.kind == kind; });
  return found == std::end(kKinds) ? nullptr : found;
}

}  // namespace portico::kubeapi
