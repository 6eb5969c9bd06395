#include "kubeapi/internal/core_texts.h"

#include "json/patch.h"
#include "json/text.h"

namespace portico::kubeapi {

using json::Value;

namespace {

struct Row {
  std::string_view group, kind, patch;
};

constexpr std::string_view kConfigMap = R"({
"description": "ConfigMap holds configuration data for programs to consume.",
"properties": {
  "data": {
    "description": "UTF-8 configuration data. Keys consist of alphanumeric characters, '-', '_' or '.'."},
  "binaryData": {
    "description": "Binary data, base64-encoded. Keys must not overlap with those of data."},
  "immutable": {"description": "If true, data, binaryData and this field cannot be updated."}}})";

constexpr std::string_view kSecret = R"({
"description": "Secret holds secret data, such as passwords, tokens and keys.",
"properties": {
  "data": {
    "description": "Secret data, base64-encoded. Keys consist of alphanumeric characters, '-', '_' or '.'."},
  "stringData": {
    "description": "Write-only secret data in string form. It is merged into data on write and never returned."},
  "immutable": {"description": "If true, data and this field cannot be updated."},
  "type": {
    "description": "Type of the secret, which determines its required keys: Opaque (any), kubernetes.io/tls, kubernetes.io/basic-auth, ... Immutable."}}})";

constexpr std::string_view kNamespace = R"({
"description": "Namespace provides a scope for names and permissions.",
"properties": {
  "spec": {
    "description": "Desired behavior of the namespace.",
    "properties": {
      "finalizers": {
        "description": "Values that must be empty to permanently remove the namespace: kubernetes is removed once its objects are deleted."}}},
  "status": {
    "description": "Current status of the namespace.",
    "properties": {
      "phase": {"description": "Active, or Terminating while it is being deleted."},
      "conditions": {
        "description": "Conditions that block the deletion of the namespace.",
        "items": {
          "properties": {
            "type": {"description": "Type of the condition."},
            "status": {"description": "Status of the condition: True, False or Unknown."},
            "reason": {
              "description": "Machine-readable reason for the last transition, in CamelCase."},
            "message": {"description": "Human-readable message about the last transition."},
            "lastTransitionTime": {
              "description": "Last time the condition transitioned from one status to another."}}}}}}}})";

constexpr std::string_view kServiceAccount = R"({
"description": "ServiceAccount is an identity for programs, which permissions can be granted to.",
"properties": {
  "secrets": {
    "description": "Secrets that programs with this service account may use.",
    "items": {"properties": {"name": {
      "description": "Name of the Secret, in the same namespace."}}}},
  "imagePullSecrets": {
    "description": "Secrets with credentials for image registries.",
    "items": {"properties": {"name": {
      "description": "Name of the Secret, in the same namespace."}}}},
  "automountServiceAccountToken": {
    "description": "Whether an API token is mounted automatically for programs with this service account."}}})";

constexpr std::string_view kEvent = R"({
"description": "Event is a report of something that happened to an object.",
"properties": {
  "involvedObject": {"description": "The object that this event is about."},
  "regarding": {"description": "The object that this event is about, in events.k8s.io."},
  "related": {"description": "Secondary object of this event, for more complex actions."},
  "reason": {"description": "Short, machine-readable reason for this event, in CamelCase."},
  "message": {"description": "Human-readable description of this event."},
  "note": {"description": "Human-readable description of this event, in events.k8s.io."},
  "type": {"description": "Type of this event: Normal or Warning."},
  "count": {"description": "Number of times this event has occurred."},
  "firstTimestamp": {"description": "Time of the first occurrence of this event."},
  "lastTimestamp": {"description": "Time of the most recent occurrence of this event."},
  "eventTime": {"description": "Time when this event was first observed."},
  "series": {
    "description": "Data about the series of events that this event represents.",
    "properties": {
      "count": {"description": "Number of occurrences in this series so far."},
      "lastObservedTime": {"description": "Time of the most recent occurrence of this event."}}},
  "action": {"description": "Action that was taken or failed."},
  "source": {
    "description": "Component that reported this event.",
    "properties": {
      "component": {"description": "Name of the component."},
      "host": {"description": "Node on which the component runs."}}},
  "reportingComponent": {"description": "Name of the controller that emitted this event."},
  "reportingController": {
    "description": "Name of the controller that emitted this event, in events.k8s.io."},
  "reportingInstance": {"description": "ID of the controller instance."},
  "deprecatedCount": {"description": "Deprecated: count, in events.k8s.io."},
  "deprecatedFirstTimestamp": {"description": "Deprecated: firstTimestamp, in events.k8s.io."},
  "deprecatedLastTimestamp": {"description": "Deprecated: lastTimestamp, in events.k8s.io."},
  "deprecatedSource": {"description": "Deprecated: source, in events.k8s.io."}}})";

constexpr std::string_view kLease = R"({
"description": "Lease defines a lease concept, for leader election and heartbeats.",
"properties": {
  "spec": {
    "description": "Specification of the lease: its holder and duration.",
    "properties": {
      "holderIdentity": {"description": "Identity of the current holder; empty if there is none."},
      "leaseDurationSeconds": {
        "description": "Seconds that candidates wait after renewTime before they acquire the lease."},
      "acquireTime": {"description": "Time when the current lease was acquired."},
      "renewTime": {"description": "Time when the current holder last renewed the lease."},
      "leaseTransitions": {"description": "Number of transitions of the lease between holders."},
      "strategy": {
        "description": "Strategy for picking the leader in coordinated leader election."},
      "preferredHolder": {"description": "Preferred holder, used with strategy."}}}}})";

constexpr std::string_view kRules = R"({
"properties": {
  "rules": {
    "description": "Policy rules. Actions that no rule allows are denied.",
    "items": {
      "properties": {
        "verbs": {
          "description": "Verbs: get, list, watch, create, update, patch, delete, ...; * for all."},
        "apiGroups": {
          "description": "API groups of the resources; the empty string is the core group, * is all groups."},
        "resources": {"description": "Resources, also RESOURCE/SUBRESOURCE; * for all."},
        "resourceNames": {
          "description": "Names of the objects that the rule applies to; empty for all objects."},
        "nonResourceURLs": {
          "description": "Non-resource paths, such as /metrics or /logs/*; only in a ClusterRole."}}}}}})";

constexpr std::string_view kRole = R"({
"description": "Role is a set of policy rules in a namespace, which a RoleBinding can reference."})";

constexpr std::string_view kClusterRole = R"({
"description": "ClusterRole is a set of policy rules, which a ClusterRoleBinding grants cluster-wide and a RoleBinding in one namespace.",
"properties": {
  "aggregationRule": {
    "description": "Label selectors of other ClusterRoles, whose rules are aggregated here. If set, rules is managed by the server."}}})";

constexpr std::string_view kBinding = R"({
"properties": {
  "roleRef": {
    "description": "Reference to the role that is granted. Immutable.",
    "properties": {
      "apiGroup": {"description": "API group of the role: rbac.authorization.k8s.io."},
      "kind": {"description": "Kind of the role: Role or ClusterRole."},
      "name": {"description": "Name of the role."}}},
  "subjects": {
    "description": "Subjects that the role is granted to.",
    "items": {
      "properties": {
        "kind": {"description": "Kind of the subject: User, Group or ServiceAccount."},
        "apiGroup": {
          "description": "API group of the subject: rbac.authorization.k8s.io; empty for a ServiceAccount."},
        "name": {"description": "Name of the user, group or service account."},
        "namespace": {"description": "Namespace of the service account."}}}}}})";

constexpr std::string_view kRoleBinding = R"({
"description": "RoleBinding grants a Role or ClusterRole to users, groups and service accounts in one namespace."})";

constexpr std::string_view kClusterRoleBinding = R"({
"description": "ClusterRoleBinding grants a ClusterRole to users, groups and service accounts cluster-wide."})";

constexpr std::string_view kDefinition = R"({
"description": "CustomResourceDefinition adds a resource to the API server.",
"properties": {
  "spec": {
    "description": "Names, scope and versions of the resource.",
    "properties": {
      "group": {"description": "API group of the resource, a domain such as stable.example.com."},
      "scope": {"description": "Namespaced, or Cluster for cluster-scoped resources."},
      "names": {"description": "Resource and kind names.", "properties": {
        "plural": {"description": "Plural name, used in URLs and commands, such as gears."},
        "singular": {
          "description": "Singular name, used in commands, such as gear; defaults to the lowercase kind."},
        "kind": {"description": "Kind of the objects, such as Gear."},
        "listKind": {"description": "Kind of lists; defaults to the kind followed by List."},
        "shortNames": {"description": "Short names for commands."},
        "categories": {
          "description": "Groups of resources that this one belongs to, such as all."}}},
      "preserveUnknownFields": {"description": "Must be false."},
      "conversion": {"description": "How objects are converted between versions.", "properties": {
        "strategy": {"description": "None: only apiVersion is changed."},
        "webhook": {"description": "Webhook that converts objects."}}},
      "versions": {"description": "Versions of the resource.", "items": {"properties": {
        "name": {"description": "Name of the version, such as v1 or v1beta1."},
        "served": {"description": "Whether the version is served by the API."},
        "storage": {
          "description": "Whether objects are stored in this version; true for exactly one version."},
        "deprecated": {
          "description": "Whether requests to this version return a deprecation warning."},
        "deprecationWarning": {"description": "Text of the deprecation warning."},
        "schema": {"description": "Schema for validation, pruning and defaulting.", "properties": {
          "openAPIV3Schema": {"description": "The schema, in OpenAPI v3."}}},
        "subresources": {"description": "Subresources of the resource.", "properties": {
          "status": {
            "description": "If present, status is a subresource that is written separately."},
          "scale": {
            "description": "If present, the scale subresource reads and sets the number of replicas.",
            "properties": {
              "specReplicasPath": {
                "description": "JSONPath of the desired number of replicas, such as .spec.replicas."},
              "statusReplicasPath": {"description": "JSONPath of the current number of replicas."},
              "labelSelectorPath": {
                "description": "JSONPath of the label selector of the replicas."}}}}},
        "additionalPrinterColumns": {
          "description": "Additional columns of tables, after the name.",
          "items": {"properties": {
            "name": {"description": "Name of the column."},
            "type": {
              "description": "OpenAPI type of the column: string, integer, number, boolean or date."},
            "format": {"description": "OpenAPI format of the column, such as int32."},
            "description": {"description": "Human-readable description of the column."},
            "priority": {
              "description": "Priority of the column: 0 is always shown, others only with -o wide."},
            "jsonPath": {"description": "JSONPath of the value, such as .spec.replicas."}}}},
        "selectableFields": {
          "description": "Fields that can be used in field selectors.",
          "items": {"properties": {"jsonPath": {
            "description": "JSONPath of the field, such as .spec.color."}}}}}}}}},
  "status": {
    "description": "Observed state of the definition.",
    "properties": {
      "acceptedNames": {"description": "Names that are accepted and served."},
      "conditions": {
        "description": "Conditions of the definition.",
        "items": {"properties": {
          "type": {
            "description": "Type of the condition: Established, NamesAccepted or Terminating."},
          "status": {"description": "Status of the condition: True, False or Unknown."},
          "reason": {
            "description": "Machine-readable reason for the last transition, in CamelCase."},
          "message": {"description": "Human-readable message about the last transition."},
          "lastTransitionTime": {
            "description": "Last time the condition transitioned from one status to another."}}}},
      "storedVersions": {"description": "All versions in which objects were ever stored."}}}}})";

// Several rows of one kind are merged.
constexpr Row kRows[] = {
    {"", "ConfigMap", kConfigMap},
    {"", "Secret", kSecret},
    {"", "Namespace", kNamespace},
    {"", "ServiceAccount", kServiceAccount},
    {"", "Event", kEvent},
    {"events.k8s.io", "Event", kEvent},
    {"coordination.k8s.io", "Lease", kLease},
    {"apiextensions.k8s.io", "CustomResourceDefinition", kDefinition},
    {"rbac.authorization.k8s.io", "Role", kRole},
    {"rbac.authorization.k8s.io", "Role", kRules},
    {"rbac.authorization.k8s.io", "ClusterRole", kClusterRole},
    {"rbac.authorization.k8s.io", "ClusterRole", kRules},
    {"rbac.authorization.k8s.io", "RoleBinding", kRoleBinding},
    {"rbac.authorization.k8s.io", "RoleBinding", kBinding},
    {"rbac.authorization.k8s.io", "ClusterRoleBinding", kClusterRoleBinding},
    {"rbac.authorization.k8s.io", "ClusterRoleBinding", kBinding},
};

}  // namespace

Value core_texts(std::string_view group, std::string_view kind) {
  Value out = Value::object();
  for (const Row& row : kRows) {
    if (row.group != group || row.kind != kind) continue;
    if (const auto patch = json::parse(row.patch)) out = json::with_merge_patch(out, *patch);
  }
  return out;
}

}  // namespace portico::kubeapi
