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
"description": "Settings that are no secret, by key, for programs to read.",
"properties": {
  "data": {"description": "Texts by key: letters, digits, '-', '_' and '.'."},
  "binaryData": {"description": "What is no text, in base64, by key; no key is in data as well."},
  "immutable": {"description": "True: data and binaryData never change again, nor does this."}}})";

constexpr std::string_view kSecret = R"({
"description": "Something to keep to oneself, by key: passwords, tokens, keys.",
"properties": {
  "data": {"description": "The secrets in base64, by key: letters, digits, '-', '_' and '.'."},
  "stringData": {
    "description": "Secrets as plain texts, to write them: they become entries of data, and are never read."},
  "immutable": {"description": "True: data never changes again, nor does this."},
  "type": {
    "description": "What it is for, and so which keys it must have: Opaque (any), kubernetes.io/tls, kubernetes.io/basic-auth, ... It never changes."}}})";

constexpr std::string_view kNamespace = R"({
"description": "A place of its own for objects: names are unique within it, and rights are given in it.",
"properties": {
  "spec": {
    "description": "What the namespace is held by.",
    "properties": {
      "finalizers": {"description": "What must be done before it goes: kubernetes, that its objects are gone."}}},
  "status": {
    "description": "How far it is.",
    "properties": {
      "phase": {"description": "Active, or Terminating where it is being deleted."},
      "conditions": {
        "description": "What keeps a deletion from its end.",
        "items": {
          "properties": {
            "type": {"description": "What is told of."},
            "status": {"description": "True, False or Unknown."},
            "reason": {"description": "Why, in one word."},
            "message": {"description": "Why, for people."},
            "lastTransitionTime": {"description": "When the status changed last."}}}}}}}})";

constexpr std::string_view kServiceAccount = R"({
"description": "A name under which a program asks, and to which rights are given.",
"properties": {
  "secrets": {
    "description": "Secrets that programs of this account may use.",
    "items": {"properties": {"name": {"description": "Name of the Secret, of the same namespace."}}}},
  "imagePullSecrets": {
    "description": "Secrets with logins of registries of images.",
    "items": {"properties": {"name": {"description": "Name of the Secret, of the same namespace."}}}},
  "automountServiceAccountToken": {
    "description": "Whether programs of this account get a token without asking."}}})";

constexpr std::string_view kEvent = R"({
"description": "Something that happened to an object, or that keeps it from being ready.",
"properties": {
  "involvedObject": {"description": "The object that it is about."},
  "regarding": {"description": "The object that it is about, as events.k8s.io calls it."},
  "related": {"description": "Another object that has to do with it."},
  "reason": {"description": "What was done, or what is wrong, in one word."},
  "message": {"description": "What happened, for people."},
  "note": {"description": "What happened, for people, as events.k8s.io calls it."},
  "type": {"description": "Normal or Warning."},
  "count": {"description": "How often it happened."},
  "firstTimestamp": {"description": "When it happened first."},
  "lastTimestamp": {"description": "When it happened last."},
  "eventTime": {"description": "When it happened, of events that are told once."},
  "series": {
    "description": "Of events that happen again and again.",
    "properties": {
      "count": {"description": "How often so far."},
      "lastObservedTime": {"description": "When it happened last."}}},
  "action": {"description": "What was done or tried."},
  "source": {
    "description": "What reports it.",
    "properties": {
      "component": {"description": "Name of the program."},
      "host": {"description": "Name of its machine."}}},
  "reportingComponent": {"description": "Name of the program that reports it."},
  "reportingController": {"description": "Name of the program that reports it, as events.k8s.io calls it."},
  "reportingInstance": {"description": "Which of several such programs."},
  "deprecatedCount": {"description": "count, as events.k8s.io calls it."},
  "deprecatedFirstTimestamp": {"description": "firstTimestamp, as events.k8s.io calls it."},
  "deprecatedLastTimestamp": {"description": "lastTimestamp, as events.k8s.io calls it."},
  "deprecatedSource": {"description": "source, as events.k8s.io calls it."}}})";

constexpr std::string_view kLease = R"({
"description": "Who of several programs has the lead, or that a program lives.",
"properties": {
  "spec": {
    "description": "Who holds it, and until when.",
    "properties": {
      "holderIdentity": {"description": "Who holds it; empty for nobody."},
      "leaseDurationSeconds": {
        "description": "How long after renewTime others wait before they take it."},
      "acquireTime": {"description": "When the holder got it."},
      "renewTime": {"description": "When the holder said last that it lives."},
      "leaseTransitions": {"description": "How often it went to another holder."},
      "strategy": {"description": "How a new holder is chosen, by programs that agree on it."},
      "preferredHolder": {"description": "Who shall have it next, with strategy."}}}}})";

constexpr std::string_view kRules = R"({
"properties": {
  "rules": {
    "description": "What may be done. What no rule allows may not be done.",
    "items": {
      "properties": {
        "verbs": {"description": "get, list, watch, create, update, patch, delete, ...; * for all."},
        "apiGroups": {"description": "Groups of the kinds; the empty text is the core group, * all."},
        "resources": {"description": "Plurals of the kinds, also PLURAL/SUBRESOURCE; * for all."},
        "resourceNames": {"description": "Names of objects; none: all objects."},
        "nonResourceURLs": {"description": "Of a ClusterRole: paths without objects, /metrics or /logs/*."}}}}}})";

constexpr std::string_view kRole = R"({
"description": "What may be done in its namespace, for those to whom a RoleBinding gives it."})";

constexpr std::string_view kClusterRole = R"({
"description": "What may be done, for those to whom a binding gives it: everywhere by a ClusterRoleBinding, in one namespace by a RoleBinding.",
"properties": {
  "aggregationRule": {
    "description": "Labels of other ClusterRoles, whose rules are gathered here: rules are not written then."}}})";

constexpr std::string_view kBinding = R"({
"properties": {
  "roleRef": {
    "description": "The role that is given. It never changes.",
    "properties": {
      "apiGroup": {"description": "rbac.authorization.k8s.io."},
      "kind": {"description": "Role or ClusterRole."},
      "name": {"description": "Name of the role."}}},
  "subjects": {
    "description": "To whom it is given.",
    "items": {
      "properties": {
        "kind": {"description": "User, Group or ServiceAccount."},
        "apiGroup": {"description": "rbac.authorization.k8s.io; empty of a ServiceAccount."},
        "name": {"description": "Name of the user, group or account."},
        "namespace": {"description": "Namespace of a ServiceAccount."}}}}}})";

constexpr std::string_view kRoleBinding = R"({
"description": "Gives a Role, or a ClusterRole, to users, groups and accounts in one namespace."})";

constexpr std::string_view kClusterRoleBinding = R"({
"description": "Gives a ClusterRole to users, groups and accounts everywhere."})";

constexpr std::string_view kDefinition = R"({
"description": "A kind of objects beside those that the server has of itself.",
"properties": {
  "spec": {
    "description": "What the kind is called, and what its objects look like.",
    "properties": {
      "group": {"description": "Group of the kind: a domain, as stable.example.com."},
      "scope": {"description": "Namespaced, or Cluster for objects outside of namespaces."},
      "names": {"description": "What the kind is called.", "properties": {
        "plural": {"description": "In addresses and commands: gears."},
        "singular": {"description": "In commands: gear; empty for the kind in lower case."},
        "kind": {"description": "In objects: Gear."},
        "listKind": {"description": "Kind of lists; empty for GearList."},
        "shortNames": {"description": "In commands, shorter."},
        "categories": {"description": "Words that stand for several kinds: all."}}},
      "preserveUnknownFields": {"description": "Must be false."},
      "conversion": {"description": "How objects go from one version to another.", "properties": {
        "strategy": {"description": "None: only apiVersion changes."},
        "webhook": {"description": "A program that converts."}}},
      "versions": {"description": "Forms that the objects have.", "items": {"properties": {
        "name": {"description": "v1, v1beta1, ..."},
        "served": {"description": "Whether objects can be asked for in this version."},
        "storage": {"description": "Whether objects are stored in it: one version is."},
        "deprecated": {"description": "Whether who asks in this version is warned."},
        "deprecationWarning": {"description": "The text of that warning."},
        "schema": {"description": "What objects are checked and completed by.", "properties": {
          "openAPIV3Schema": {"description": "The schema, as OpenAPI 3.0 writes it."}}},
        "subresources": {"description": "Parts that are written apart.", "properties": {
          "status": {"description": "Present: status is written apart from the rest."},
          "scale": {"description": "Present: how many copies there are can be asked and said.",
            "properties": {
              "specReplicasPath": {"description": "Where the wanted number stands: .spec.replicas."},
              "statusReplicasPath": {"description": "Where the number stands that there is."},
              "labelSelectorPath": {"description": "Where the selector of the copies stands."}}}}},
        "additionalPrinterColumns": {
          "description": "Columns of tables, behind the name.",
          "items": {"properties": {
            "name": {"description": "Head of the column."},
            "type": {"description": "string, integer, number, boolean or date."},
            "format": {"description": "Format of the type, as int32."},
            "description": {"description": "What it says, for people."},
            "priority": {"description": "0: always shown; else only with -o wide."},
            "jsonPath": {"description": "Where the value stands: .spec.replicas."}}}},
        "selectableFields": {
          "description": "Fields by which objects can be selected.",
          "items": {"properties": {"jsonPath": {"description": "The field: .spec.color."}}}}}}}}},
  "status": {
    "description": "What became of it.",
    "properties": {
      "acceptedNames": {"description": "Names that no other definition had before."},
      "conditions": {
        "description": "Whether the kind is served.",
        "items": {"properties": {
          "type": {"description": "Established, NamesAccepted or Terminating."},
          "status": {"description": "True, False or Unknown."},
          "reason": {"description": "Why, in one word."},
          "message": {"description": "Why, for people."},
          "lastTransitionTime": {"description": "When the status changed last."}}}},
      "storedVersions": {"description": "Versions in which objects may be stored."}}}}})";

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
