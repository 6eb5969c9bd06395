#include "packages/lineage.h"

#include "api/kinds.h"
#include "packages/package_store.h"
#include "registry/indexed_field.h"

namespace portico::packages {

using json::Value;

std::vector<registry::IndexedField> indexes() {
  const krm::GroupKind type = revision_key("", "").type;
  return {{type, kByRepository, {{"spec", "repository"}}},
          {type, kByPackage, {{"spec", "repository"}, {"spec", "packageName"}}},
          {api::variant_kind(),
           kByDownstream,
           {{"spec", "downstream", "repo"}, {"spec", "downstream", "package"}}}};
}

namespace {

Result<std::vector<Value>> of_package(const registry::Registry& registry,
                                      const krm::GroupKind& type, const std::string& ns,
                                      const char* index, const std::string& repository,
                                      const std::string& package) {
  PORTICO_TRY(registry::Listing all,
              registry.list({.type = type,
                             .ns = ns,
                             .fields = {{index, registry::index_value({repository, package})}}}));
  return std::move(all.objects);
}

}  // namespace

Result<std::vector<Value>> revisions_of(const registry::Registry& registry, const std::string& ns,
                                        const std::string& repository, const std::string& package) {
  return of_package(registry, api::revision_kind(), ns, kByPackage, repository, package);
}

Result<std::vector<Value>> variants_of(const registry::Registry& registry, const std::string& ns,
                                       const std::string& repository, const std::string& package) {
  return of_package(registry, api::variant_kind(), ns, kByDownstream, repository, package);
}

Result<NamedPackage> package_named(const registry::Registry& registry, const std::string& ns,
                                   const std::string& name) {
  // No object name has a slash, and an API would read what follows it as a subresource.
  if (const std::size_t slash = name.find('/'); slash != std::string::npos)
    return NamedPackage{name.substr(0, slash), name.substr(slash + 1), Value()};
  const auto variant = registry.get({api::variant_kind(), ns, name});
  if (variant) {
    const Value& downstream = (*variant)["spec"]["downstream"];
    return NamedPackage{std::string(downstream["repo"].as_string()),
                        std::string(downstream["package"].as_string()), *variant};
  }
  if (variant.error().code != Code::kNotFound) return variant.error();
  const auto revision = registry.get({api::revision_kind(), ns, name});
  if (revision)
    return NamedPackage{std::string((*revision)["spec"]["repository"].as_string()),
                        std::string((*revision)["spec"]["packageName"].as_string()), Value()};
  if (revision.error().code != Code::kNotFound) return revision.error();
  return not_found(
      "no PackageVariant or PackageRevision \"{}\" found in namespace \"{}\"; specify a package as "
      "REPOSITORY/PACKAGE",
      name, ns);
}

std::string variant_of(const std::vector<Value>& revisions) {
  std::optional<std::int64_t> newest;
  std::string out;
  for (const Value& each : revisions)
    for (const krm::OwnerReference& owner : krm::owners_of(each)) {
      const std::int64_t number = each["spec"]["revision"].as_int();
      if (!owner.controller || owner.kind != api::kVariantKind || (newest && number <= *newest))
        continue;
      newest = number;
      out = owner.name;
    }
  return out;
}

namespace {

std::string ns_of(const Value& object) { return std::string(krm::namespace_of(object)); }

bool is_published(const Value& object) {
  const std::string_view lifecycle = object["spec"]["lifecycle"].as_string();
  return object["spec"]["revision"].as_int() > 0 &&
         (lifecycle == "Published" || lifecycle == "DeletionProposed");
}

// A ".git" suffix or trailing '/' is not significant.
std::string_view plain_url(std::string_view url) {
  while (url.ends_with('/')) url.remove_suffix(1);
  if (url.ends_with(".git")) url.remove_suffix(4);
  return url;
}

}  // namespace

Result<Value> upstream_of(const registry::Registry& registry, const Value& package_revision) {
  const Value& lock = package_revision["status"]["upstreamLock"]["git"];
  const std::string name(krm::name_of(package_revision));
  if (lock.is_null()) return not_found("{} has no upstream", name);
  PORTICO_TRY(
      const registry::Listing repositories,
      registry.list({.type = {std::string(api::kConfigGroup), std::string(api::kRepositoryKind)},
                     .ns = ns_of(package_revision)}));
  std::string_view directory = lock["directory"].as_string();
  while (directory.starts_with('/')) directory.remove_prefix(1);
  Value same_commit;
  for (const Value& repository : repositories.objects) {
    const Value& git = repository["spec"]["git"];
    if (plain_url(git["repo"].as_string()) != plain_url(lock["repo"].as_string())) continue;
    std::string_view root = git["directory"].as_string();
    while (root.starts_with('/')) root.remove_prefix(1);
    while (root.ends_with('/')) root.remove_suffix(1);
    std::string_view package = directory;
    if (!root.empty()) {
      if (!package.starts_with(root) || package.size() <= root.size() ||
          package[root.size()] != '/')
        continue;
      package.remove_prefix(root.size() + 1);
    }
    PORTICO_TRY(const auto revisions,
                revisions_of(registry, ns_of(package_revision),
                             std::string(krm::name_of(repository)), std::string(package)));
    for (const Value& each : revisions) {
      const Value& self = each["status"]["selfLock"]["git"];
      if (self["ref"] == lock["ref"]) return each;
      if (self["commit"] == lock["commit"]) same_commit = each;
    }
  }
  if (!same_commit.is_null()) return same_commit;
  return not_found("the upstream of {} ({} at {}) is not in a registered repository", name,
                   lock["directory"].as_string(), lock["ref"].as_string());
}

Result<std::vector<std::string>> users_of(const registry::Registry& registry,
                                          const Value& package_revision) {
  const Value& self = package_revision["status"]["selfLock"]["git"];
  PORTICO_TRY(const registry::Listing all,
              registry.list({.type = api::revision_kind(), .ns = ns_of(package_revision)}));
  std::vector<std::string> out;
  for (const Value& each : all.objects) {
    const Value& lock = each["status"]["upstreamLock"]["git"];
    if (lock["ref"] == self["ref"] && lock["directory"] == self["directory"] && lock.is_object() &&
        plain_url(lock["repo"].as_string()) == plain_url(self["repo"].as_string()))
      out.emplace_back(krm::name_of(each));
  }
  return out;
}

Result<Value> newer_upstream(const registry::Registry& registry, const Value& package_revision,
                             int revision) {
  PORTICO_TRY(const Value current, upstream_of(registry, package_revision));
  const std::string repository(current["spec"]["repository"].as_string()),
      package(current["spec"]["packageName"].as_string());
  PORTICO_TRY(const auto all, revisions_of(registry, ns_of(package_revision), repository, package));
  const Value* best = nullptr;
  for (const Value& each : all) {
    if (!is_published(each)) continue;
    const std::int64_t number = each["spec"]["revision"].as_int();
    if (revision != 0 && number != revision) continue;
    if (best == nullptr || (*best)["spec"]["revision"].as_int() < number) best = &each;
  }
  if (best == nullptr && revision != 0)
    return not_found("{}/{} has no published revision {}", repository, package, revision);
  if (best == nullptr) return not_found("{}/{} has no published revision", repository, package);
  return *best;
}

Result<Value> predecessor(const registry::Registry& registry, const Value& package_revision) {
  PORTICO_TRY(const auto all,
              revisions_of(registry, ns_of(package_revision),
                           std::string(package_revision["spec"]["repository"].as_string()),
                           std::string(package_revision["spec"]["packageName"].as_string())));
  const std::int64_t own = package_revision["spec"]["revision"].as_int();
  const Value* best = nullptr;
  for (const Value& each : all) {
    const std::int64_t number = each["spec"]["revision"].as_int();
    if (!is_published(each) || (own > 0 && number >= own)) continue;
    if (best == nullptr || (*best)["spec"]["revision"].as_int() < number) best = &each;
  }
  return best != nullptr ? *best : Value();
}

std::string set_of(const registry::Registry& registry, const Value& package_revision) {
  for (const krm::OwnerReference& owner : krm::owners_of(package_revision)) {
    if (owner.kind != api::kVariantKind) continue;
    const auto variant = registry.get(
        {{std::string(api::kConfigGroup), owner.kind}, ns_of(package_revision), owner.name});
    if (!variant) continue;
    for (const krm::OwnerReference& above : krm::owners_of(*variant))
      if (above.kind == api::kVariantSetKind) return above.name;
  }
  return "";
}

}  // namespace portico::packages
