#include "cli/from_porch.h"

#include <algorithm>
#include <string_view>

#include "api/kinds.h"
#include "cli/migration.h"
#include "packages/package_revs.h"

namespace portico::cli {

using json::Value;

namespace {

constexpr const char* kTakenFrom = "portico.dev/taken-from";

// Whether a comma-separated list has one of the reconcilers.
bool has_reconciler(std::string_view list) {
  while (!list.empty()) {
    const std::string_view word = list.substr(0, list.find(','));
    if (word == "*" || word == "packagevariants" || word == "packagevariantsets") return true;
    list.remove_prefix(std::min(list.size(), word.size() + 1));
  }
  return false;
}

bool has_pods(const Value& deployment) {
  const Value& replicas = deployment["spec"]["replicas"];
  return replicas.is_null() || replicas.as_int() != 0;
}

bool runs_them(const Value& container) {
  for (const Value& each : container["env"].items())
    if ((each["name"].as_string() == "ENABLE_PACKAGEVARIANTS" ||
         each["name"].as_string() == "ENABLE_PACKAGEVARIANTSETS") &&
        each["value"].as_string() == "true")
      return true;
  for (const char* words : {"command", "args"}) {
    const auto& all = container[words].items();
    for (std::size_t i = 0; i < all.size(); ++i) {
      std::string_view word = all[i].as_string();
      if (!word.starts_with("-")) continue;
      word.remove_prefix(word.starts_with("--") ? 2 : 1);
      if (!word.starts_with("reconcilers")) continue;
      const bool apart = word == "reconcilers" && i + 1 < all.size();
      if (apart ? has_reconciler(all[i + 1].as_string())
                : word.find('=') != std::string_view::npos &&
                      has_reconciler(word.substr(word.find('=') + 1)))
        return true;
    }
  }
  return false;
}

}  // namespace

PackageServer package_server(const Value& porch, const Value& own, const Value& config) {
  const Value& service = porch["spec"]["service"];
  if (!service.is_object()) return PackageServer::kPorch;
  const auto is_its = [&](const Value& api) {
    const Value& other = api["spec"]["service"];
    return other.is_object() && other["name"] == service["name"] &&
           other["namespace"] == service["namespace"];
  };
  if (is_its(config)) return PackageServer::kVolume;
  return is_its(own) ? PackageServer::kServers : PackageServer::kPorch;
}

bool keeps_variants(const Value& deployment) {
  if (!has_pods(deployment)) return false;
  const auto& containers = deployment["spec"]["template"]["spec"]["containers"].items();
  return std::any_of(containers.begin(), containers.end(), runs_them);
}

bool is_portico_controllers(const Value& deployment) {
  return has_pods(deployment) &&
         krm::label_of(deployment, "app.kubernetes.io/name") == "portico-controllers";
}

Value at_rest_for_now(const Value& object) {
  if (krm::annotation_of(object, api::kSuspend) == "true") return object;
  return at_rest(object).with_at({"metadata", "annotations", kTakenFrom}, "porch");
}

bool rests_for_now(const Value& object) {
  return krm::annotation_of(object, kTakenFrom) == "porch";
}

Value awake_again(const Value& object) {
  return awake(object.without_at({"metadata", "annotations", kTakenFrom}));
}

Value remembered(const Value& revision) {
  Value metadata =
      Value::object({{"name", krm::name_of(revision)}, {"namespace", krm::namespace_of(revision)}});
  for (const char* said : {"annotations", "ownerReferences", "finalizers"})
    if (const Value* value = revision["metadata"].find(said))
      metadata = metadata.with(said, *value);
  std::map<std::string, std::string> labels = krm::string_map(revision["metadata"]["labels"]);
  labels.erase(std::string(api::kLatestRevisionLabel));  // Porch computes it when asked
  labels[std::string(packages::kPorchRepositoryLabel)] = revision["spec"]["repository"].as_string();
  return Value::object({{"apiVersion", api::kConfigV1Alpha1},
                        {"kind", packages::package_rev_kind().kind},
                        {"metadata", metadata.with("labels", krm::to_value(labels))}});
}

}  // namespace portico::cli
