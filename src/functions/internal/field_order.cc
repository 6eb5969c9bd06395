#include "functions/internal/field_order.h"

#include <array>
#include <utility>

namespace portico::functions {

namespace {

// kyaml/yaml/order.go. A name that occurs twice has its last position.
constexpr std::array kOrder = std::to_array<std::string_view>(
    {"name", "generateName", "namespace", "clusterName", "apiVersion", "kind", "metadata", "type",
     "labels", "annotations", "spec", "status",
     // data
     "stringData", "data", "binaryData",
     // specs of workloads and services
     "parallelism", "completions", "activeDeadlineSeconds", "backoffLimit", "replicas", "selector",
     "manualSelector", "template", "ttlSecondsAfterFinished", "volumeClaimTemplates", "service",
     "serviceName", "podManagementPolicy", "updateStrategy", "strategy", "minReadySeconds",
     "revision", "revisionHistoryLimit", "paused", "progressDeadlineSeconds",
     // pods
     "restartPolicy", "terminationGracePeriodSeconds", "activeDeadlineSeconds", "dnsPolicy",
     "serviceAccountName", "serviceAccount", "automountServiceAccountToken", "nodeName",
     "hostNetwork", "hostPID", "hostIPC", "shareProcessNamespace", "hostname", "subdomain",
     "schedulerName", "priorityClassName", "priority", "runtimeClassName", "enableServiceLinks",
     "nodeSelector", "hostAliases", "initContainers", "containers", "volumes", "securityContext",
     "imagePullSecrets", "affinity", "tolerations", "dnsConfig", "readinessGates",
     // containers
     "image", "command", "args", "workingDir", "ports", "envFrom", "env", "resources",
     "volumeMounts", "volumeDevices", "livenessProbe", "readinessProbe", "lifecycle",
     "terminationMessagePath", "terminationMessagePolicy", "imagePullPolicy", "securityContext",
     "stdin", "stdinOnce", "tty",
     // ports, mounts, variables
     "clusterIP", "externalIPs", "loadBalancerIP", "loadBalancerSourceRanges", "externalName",
     "externalTrafficPolicy", "sessionAffinity", "protocol", "port", "targetPort", "hostPort",
     "containerPort", "hostIP", "readOnly", "mountPath", "subPath", "subPathExpr",
     "mountPropagation", "value", "valueFrom", "fieldRef", "resourceFieldRef", "configMapKeyRef",
     "secretKeyRef", "prefix", "configMapRef", "secretRef"});

}  // namespace

FieldOrder::FieldOrder() {
  for (std::size_t i = 0; i < kOrder.size(); ++i) ranks_.insert_or_assign(kOrder[i], i);
}

bool FieldOrder::before(std::string_view a, std::string_view b) const {
  const auto rank = [&](std::string_view name) {
    const auto at = ranks_.find(name);
    return at == ranks_.end() ? kOrder.size() : at->second;
  };
  return std::pair(rank(a), a) < std::pair(rank(b), b);
}

}  // namespace portico::functions
