#include "functions/internal/name_references.h"

#include <fmt/format.h>

#include <array>
#include <optional>

#include "functions/internal/field_spec.h"
#include "functions/internal/fields.h"
#include "functions/internal/scope.h"

namespace portico::functions {

namespace {

struct Pods {
  std::string_view kind, spec;
};
constexpr std::array<Pods, 8> kPods{{{"Pod", "spec"},
                                     {"PodTemplate", "template/spec"},
                                     {"ReplicationController", "spec/template/spec"},
                                     {"Deployment", "spec/template/spec"},
                                     {"ReplicaSet", "spec/template/spec"},
                                     {"DaemonSet", "spec/template/spec"},
                                     {"StatefulSet", "spec/template/spec"},
                                     {"Job", "spec/template/spec"}}};
constexpr Pods kCronJob{"CronJob", "spec/jobTemplate/spec/template/spec"};

struct Reference {
  std::string_view target;  // referenced kind
  std::string_view path;    // in a pod's spec, or in an object of `kind`
  std::string_view kind = {};
};

constexpr std::array kInPods{
    Reference{"ConfigMap", "volumes/configMap/name"},
    Reference{"ConfigMap", "volumes/projected/sources/configMap/name"},
    Reference{"ConfigMap", "containers/env/valueFrom/configMapKeyRef/name"},
    Reference{"ConfigMap", "containers/envFrom/configMapRef/name"},
    Reference{"ConfigMap", "initContainers/env/valueFrom/configMapKeyRef/name"},
    Reference{"ConfigMap", "initContainers/envFrom/configMapRef/name"},
    Reference{"Secret", "volumes/secret/secretName"},
    Reference{"Secret", "volumes/projected/sources/secret/name"},
    Reference{"Secret", "containers/env/valueFrom/secretKeyRef/name"},
    Reference{"Secret", "containers/envFrom/secretRef/name"},
    Reference{"Secret", "initContainers/env/valueFrom/secretKeyRef/name"},
    Reference{"Secret", "initContainers/envFrom/secretRef/name"},
    Reference{"Secret", "imagePullSecrets/name"},
    Reference{"ServiceAccount", "serviceAccountName"},
    Reference{"PersistentVolumeClaim", "volumes/persistentVolumeClaim/claimName"},
    Reference{"PriorityClass", "priorityClassName"},
};

constexpr std::array kElsewhere{
    Reference{"Secret", "spec/tls/secretName", "Ingress"},
    Reference{"Secret", "imagePullSecrets/name", "ServiceAccount"},
    Reference{"Secret", "secrets/name", "ServiceAccount"},
    Reference{"Service", "spec/serviceName", "StatefulSet"},
    Reference{"Service", "spec/rules/http/paths/backend/serviceName", "Ingress"},
    Reference{"Service", "spec/rules/http/paths/backend/service/name", "Ingress"},
    Reference{"Service", "spec/backend/serviceName", "Ingress"},
    Reference{"Service", "spec/defaultBackend/service/name", "Ingress"},
    Reference{"PersistentVolume", "spec/volumeName", "PersistentVolumeClaim"},
    Reference{"StorageClass", "spec/storageClassName", "PersistentVolume"},
    Reference{"StorageClass", "spec/storageClassName", "PersistentVolumeClaim"},
    Reference{"StorageClass", "spec/volumeClaimTemplates/spec/storageClassName", "StatefulSet"},
    Reference{"IngressClass", "spec/ingressClassName", "Ingress"},
    Reference{"ConfigMap", "rules/resourceNames", "Role"},
    Reference{"ConfigMap", "rules/resourceNames", "ClusterRole"},
    Reference{"Secret", "rules/resourceNames", "Role"},
    Reference{"Secret", "rules/resourceNames", "ClusterRole"},
};

/// Maps that hold the target's kind next to its name.
constexpr std::array kTyped{
    Reference{"", "spec/scaleTargetRef", "HorizontalPodAutoscaler"},
    Reference{"", "roleRef", "RoleBinding"},
    Reference{"", "roleRef", "ClusterRoleBinding"},
    Reference{"", "subjects", "RoleBinding"},
    Reference{"", "subjects", "ClusterRoleBinding"},
    Reference{"Service", "spec/service", "APIService"},
    Reference{"Service", "webhooks/clientConfig/service", "ValidatingWebhookConfiguration"},
    Reference{"Service", "webhooks/clientConfig/service", "MutatingWebhookConfiguration"},
};

class Follower {
 public:
  Follower(const krm::Object& object, const Renames& renames)
      : renames_(renames), ns_(object.ns().empty() ? "default" : std::string(object.ns())) {}

  json::Value name(std::string_view kind, const json::Value& have) const {
    if (have.is_array()) {
      json::Value result = have;
      for (std::size_t i = 0; i < have.size(); ++i)
        result = result.with_item(i, name(kind, have.items()[i]));
      return result == have ? have : result;
    }
    const auto now = renamed(kind, ns_, have);
    return now ? json::Value(*now) : have;
  }

  json::Value typed(std::string_view target, const json::Value& have) const {
    if (have.is_array()) {
      json::Value result = have;
      for (std::size_t i = 0; i < have.size(); ++i)
        result = result.with_item(i, typed(target, have.items()[i]));
      return result == have ? have : result;
    }
    const std::string_view ns = have["namespace"].as_string();
    const std::string_view kind = target.empty() ? have["kind"].as_string() : target;
    const auto now = renamed(kind, ns.empty() ? std::string_view(ns_) : ns, have["name"]);
    return now ? have.with("name", *now) : have;
  }

 private:
  std::optional<std::string> renamed(std::string_view kind, std::string_view ns,
                                     const json::Value& have) const {
    if (!have.is_string()) return std::nullopt;
    const std::string name(have.as_string());
    for (const std::string_view scope : {ns, std::string_view()}) {
      const auto at = renames_.find({std::string(kind), std::string(scope), name});
      if (at != renames_.end()) return at->second;
    }
    return std::nullopt;
  }

  const Renames& renames_;
  const std::string ns_;
};

}  // namespace

std::string rename_scope(const krm::Object& object) {
  if (scope_of(object.api_version(), object.kind()) == Scope::kCluster) return "";
  return object.ns().empty() ? "default" : std::string(object.ns());
}

json::Value with_references(const krm::Object& object, const json::Value& value,
                            const Renames& renames) {
  const Follower follower(object, renames);
  json::Value result = value;
  const auto follow = [&](const std::string& path, std::string_view target, bool typed) {
    result = change_at(result, field_spec("", "", "", path, false), [&](const json::Value& have) {
      return typed ? follower.typed(target, have) : follower.name(target, have);
    });
  };
  const auto follow_pods = [&](const Pods& pods) {
    if (pods.kind != object.kind()) return;
    for (const Reference& one : kInPods)
      follow(fmt::format("{}/{}", pods.spec, one.path), one.target, false);
  };
  for (const Pods& pods : kPods) follow_pods(pods);
  follow_pods(kCronJob);
  for (const Reference& one : kElsewhere)
    if (one.kind == object.kind()) follow(std::string(one.path), one.target, false);
  for (const Reference& one : kTyped)
    if (one.kind == object.kind()) follow(std::string(one.path), one.target, true);
  return result;
}

}  // namespace portico::functions
