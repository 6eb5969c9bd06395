#include "functions/internal/scope.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace portico::functions {

namespace {

struct Row {
  std::string_view api_version, kind;
  bool namespaced;
};

// Sorted by apiVersion and kind.
constexpr std::array kRows{
    Row{"admissionregistration.k8s.io/v1", "MutatingWebhookConfiguration", false},
    Row{"admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", false},
    Row{"admissionregistration.k8s.io/v1beta1", "MutatingWebhookConfiguration", false},
    Row{"admissionregistration.k8s.io/v1beta1", "ValidatingWebhookConfiguration", false},
    Row{"apiextensions.k8s.io/v1", "CustomResourceDefinition", false},
    Row{"apiextensions.k8s.io/v1beta1", "CustomResourceDefinition", false},
    Row{"apiregistration.k8s.io/v1", "APIService", false},
    Row{"apiregistration.k8s.io/v1beta1", "APIService", false},
    Row{"apps/v1", "ControllerRevision", true},
    Row{"apps/v1", "DaemonSet", true},
    Row{"apps/v1", "Deployment", true},
    Row{"apps/v1", "ReplicaSet", true},
    Row{"apps/v1", "StatefulSet", true},
    Row{"autoscaling/v1", "HorizontalPodAutoscaler", true},
    Row{"autoscaling/v1", "Scale", true},
    Row{"autoscaling/v2beta1", "HorizontalPodAutoscaler", true},
    Row{"autoscaling/v2beta2", "HorizontalPodAutoscaler", true},
    Row{"batch/v1", "CronJob", true},
    Row{"batch/v1", "Job", true},
    Row{"batch/v1beta1", "CronJob", true},
    Row{"certificates.k8s.io/v1", "CertificateSigningRequest", false},
    Row{"certificates.k8s.io/v1beta1", "CertificateSigningRequest", false},
    Row{"coordination.k8s.io/v1", "Lease", true},
    Row{"coordination.k8s.io/v1beta1", "Lease", true},
    Row{"discovery.k8s.io/v1", "EndpointSlice", true},
    Row{"discovery.k8s.io/v1beta1", "EndpointSlice", true},
    Row{"events.k8s.io/v1", "Event", true},
    Row{"events.k8s.io/v1beta1", "Event", true},
    Row{"extensions/v1beta1", "Ingress", true},
    Row{"flowcontrol.apiserver.k8s.io/v1beta1", "FlowSchema", false},
    Row{"flowcontrol.apiserver.k8s.io/v1beta1", "PriorityLevelConfiguration", false},
    Row{"networking.k8s.io/v1", "Ingress", true},
    Row{"networking.k8s.io/v1", "IngressClass", false},
    Row{"networking.k8s.io/v1", "NetworkPolicy", true},
    Row{"networking.k8s.io/v1beta1", "Ingress", true},
    Row{"networking.k8s.io/v1beta1", "IngressClass", false},
    Row{"node.k8s.io/v1", "RuntimeClass", false},
    Row{"node.k8s.io/v1beta1", "RuntimeClass", false},
    Row{"policy/v1", "PodDisruptionBudget", true},
    Row{"policy/v1beta1", "PodDisruptionBudget", true},
    Row{"policy/v1beta1", "PodSecurityPolicy", false},
    Row{"rbac.authorization.k8s.io/v1", "ClusterRole", false},
    Row{"rbac.authorization.k8s.io/v1", "ClusterRoleBinding", false},
    Row{"rbac.authorization.k8s.io/v1", "Role", true},
    Row{"rbac.authorization.k8s.io/v1", "RoleBinding", true},
    Row{"rbac.authorization.k8s.io/v1beta1", "ClusterRole", false},
    Row{"rbac.authorization.k8s.io/v1beta1", "ClusterRoleBinding", false},
    Row{"rbac.authorization.k8s.io/v1beta1", "Role", true},
    Row{"rbac.authorization.k8s.io/v1beta1", "RoleBinding", true},
    Row{"scheduling.k8s.io/v1", "PriorityClass", false},
    Row{"scheduling.k8s.io/v1beta1", "PriorityClass", false},
    Row{"storage.k8s.io/v1", "CSIDriver", false},
    Row{"storage.k8s.io/v1", "CSINode", false},
    Row{"storage.k8s.io/v1", "StorageClass", false},
    Row{"storage.k8s.io/v1", "VolumeAttachment", false},
    Row{"storage.k8s.io/v1beta1", "CSIDriver", false},
    Row{"storage.k8s.io/v1beta1", "CSINode", false},
    Row{"storage.k8s.io/v1beta1", "CSIStorageCapacity", true},
    Row{"storage.k8s.io/v1beta1", "StorageClass", false},
    Row{"storage.k8s.io/v1beta1", "VolumeAttachment", false},
    Row{"v1", "ComponentStatus", false},
    Row{"v1", "ConfigMap", true},
    Row{"v1", "Endpoints", true},
    Row{"v1", "Event", true},
    Row{"v1", "LimitRange", true},
    Row{"v1", "Namespace", false},
    Row{"v1", "Node", false},
    Row{"v1", "NodeProxyOptions", false},
    Row{"v1", "PersistentVolume", false},
    Row{"v1", "PersistentVolumeClaim", true},
    Row{"v1", "Pod", true},
    Row{"v1", "PodAttachOptions", true},
    Row{"v1", "PodExecOptions", true},
    Row{"v1", "PodPortForwardOptions", true},
    Row{"v1", "PodProxyOptions", true},
    Row{"v1", "PodTemplate", true},
    Row{"v1", "ReplicationController", true},
    Row{"v1", "ResourceQuota", true},
    Row{"v1", "Secret", true},
    Row{"v1", "Service", true},
    Row{"v1", "ServiceAccount", true},
    Row{"v1", "ServiceProxyOptions", true},
};

constexpr bool before(const Row& a, const Row& b) {
  return a.api_version != b.api_version ? a.api_version < b.api_version : a.kind < b.kind;
}
static_assert(std::is_sorted(kRows.begin(), kRows.end(), before));

}  // namespace

Scope scope_of(std::string_view api_version, std::string_view kind) {
  const Row wanted{api_version, kind, false};
  const auto at = std::lower_bound(kRows.begin(), kRows.end(), wanted, before);
  if (at == kRows.end() || before(wanted, *at)) return Scope::kUnknown;
  return at->namespaced ? Scope::kNamespaced : Scope::kCluster;
}

}  // namespace portico::functions
