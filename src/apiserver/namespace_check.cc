#include "apiserver/namespace_check.h"

#include "krm/meta.h"

namespace portico::apiserver {

kubeapi::StatusOr<Done> check_takes_objects(const registry::Registry& registry,
                                            const std::string& ns, const kubeapi::Named& type,
                                            const std::string& name) {
  const auto found = registry.get({{"", "Namespace"}, "", ns});
  if (!found) return kubeapi::status_error_of(found.error(), {"", "namespaces", "Namespace"}, ns);
  if (!krm::is_deleting(*found)) return Done{};
  return kubeapi::forbidden_object(
      type, name,
      fmt::format("unable to create new content in namespace {} because it is being terminated",
                  ns),
      {{"NamespaceTerminating", fmt::format("namespace {} is being terminated", ns),
        "metadata.namespace"}});
}

}  // namespace portico::apiserver
