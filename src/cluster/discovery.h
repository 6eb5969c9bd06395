// The resources that a Kubernetes API serves, by the kinds of their objects. Pure.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/value.h"
#include "krm/meta.h"

namespace portico::cluster {

/// One kind in one version, as served by the API.
struct Resource {
  krm::GroupKind kind;
  std::string version;  // "v1alpha1"
  std::string plural;   // "packagevariants"
  std::string singular;
  std::vector<std::string> short_names = {};
  bool namespaced = true;
  std::set<std::string> verbs = {};         // "get", "list", "watch", ...
  std::set<std::string> subresources = {};  // "status", "approval"
  bool operator==(const Resource&) const = default;

  bool can(std::string_view verb) const { return verbs.contains(std::string(verb)); }
  std::string api_version() const;
  /// "/apis/GROUP/VERSION/namespaces/NS/PLURAL/NAME", escaped. An empty namespace or name is left
  /// out, and so is the namespace of a cluster-scoped resource.
  std::string path(std::string_view ns, std::string_view name,
                   std::string_view subresource = {}) const;
};

/// The set of served resources.
class Discovery {
 public:
  /// Adds an aggregated document (APIGroupDiscoveryList) of /api or /apis. kInvalid for any other
  /// document.
  Result<Done> add_groups(const json::Value& document);
  /// Adds an APIResourceList of one group and version; versions added earlier are preferred.
  Result<Done> add_resources(const json::Value& document);

  /// The resource of a kind, in `version` if that is served, else in the group's preferred version;
  /// nullptr if the kind is not served.
  const Resource* find(const krm::GroupKind& kind, std::string_view version = {}) const;
  /// All kinds, each once in its preferred version, sorted.
  std::vector<Resource> all() const;

 private:
  void add(Resource resource);
  /// In order of preference.
  std::map<krm::GroupKind, std::vector<Resource>> kinds_;
};

}  // namespace portico::cluster
