#include <algorithm>

#include "api/kinds.h"
#include "kinds/definitions.h"
#include "kubeapi/columns.h"
#include "kubeapi/core_schemas.h"
#include "kubeapi/resource_type.h"
#include "resources/resources.h"

namespace portico::kubeapi {

using json::Value;

namespace {

const std::vector<std::string> kAllVerbs = {"create", "delete", "deletecollection", "get",
                                            "list",   "patch",  "update",           "watch"};

ResourceType stored(std::string_view group, std::string_view version, std::string_view kind,
                    std::string_view plural) {
  ResourceType out;
  out.names = {std::string(group), std::string(plural), std::string(kind)};
  out.singular = std::string(kind);
  std::transform(out.singular.begin(), out.singular.end(), out.singular.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  out.list_kind = fmt::format("{}List", kind);
  for (const std::string_view name : resources::short_names(out.kind()))
    out.short_names.emplace_back(name);
  out.verbs = kAllVerbs;
  out.storage_version = version;
  Version only;
  only.name = version;
  only.schema = core_schema(group, kind);
  if (!only.schema->preserve_unknown_fields) only.type = fieldset::ObjectType(only.schema);
  only.columns = {name_column(), age_column()};
  out.versions.push_back(std::move(only));
  return out;
}

Column count_column(std::string name, std::string description, std::vector<std::string> fields) {
  return {std::move(name),
          "string",
          "",
          std::move(description),
          0,
          [fields = std::move(fields)](const Value& object, std::string_view) {
            std::size_t count = 0;
            for (const std::string& field : fields) count += object[field].size();
            return Value(static_cast<std::int64_t>(count));
          }};
}

Column text_column(std::string name, std::string description, std::vector<std::string> path,
                   int priority = 0) {
  return {std::move(name),
          "string",
          "",
          std::move(description),
          priority,
          [path = std::move(path)](const Value& object, std::string_view) {
            const Value* at = &object;
            for (const std::string& part : path) at = &(*at)[part];
            return Value(at->as_string());
          }};
}

ResourceType event_type(std::string_view group) {
  ResourceType out = stored(group, "v1", "Event", "events");
  out.short_names = {"ev"};
  out.versions[0].columns = event_columns();
  return out;
}

// A review: creating one returns an answer and stores nothing.
ResourceType review_type(std::string_view group, std::string_view kind, std::string_view plural) {
  ResourceType out = stored(group, "v1", kind, plural);
  out.namespaced = kind == "LocalSubjectAccessReview";
  out.origin = Origin::kComputed;
  out.verbs = {"create"};
  out.storage_version = "";
  return out;
}

ResourceType definition_type() {
  ResourceType out =
      stored("apiextensions.k8s.io", "v1", "CustomResourceDefinition", "customresourcedefinitions");
  out.namespaced = false;
  out.categories = {"api-extensions"};
  out.versions[0].has_status = true;
  out.versions[0].columns = {name_column(), created_at_column()};
  return out;
}

// The content of package revisions changes through git, so only verbs that git supports are
// offered.
void serve_packages(ResourceType& type) {
  if (type.kind() == api::package_kind()) {
    type.verbs = {"get", "list", "watch"};
  } else if (type.kind() == api::package_resources_kind()) {
    type.verbs = {"get", "list", "patch", "update", "watch"};
  } else {
    type.verbs = kAllVerbs;
    for (Version& version : type.versions) version.has_approval = true;
  }
  // Another program can rebuild them from git, so no version counts as stored.
  type.storage_version = "";
}

// An open schema with the description `source`: it is published but prunes nothing.
schema::Schema described(const Value& source) {
  auto open = std::make_shared<schema::Node>(*free_schema());
  open->source = source;
  return schema::Schema(std::move(open));
}

// Package revisions as described by `resources`.
ResourceType packages(const resources::Resource& resource) {
  ResourceType out =
      stored(resource.kind.group, resource.versions.front(), resource.kind.kind, resource.plural);
  out.singular = resource.singular;
  out.namespaced = resource.namespaced;
  out.origin = Origin::kPackages;
  if (resource.in_all) out.categories = {"all"};
  out.versions.clear();
  for (const std::string_view name : resource.versions) {
    Version version;
    version.name = name;
    version.schema = described(kinds::schema_of(resource.kind.kind, name));
    version.columns = columns_of(resource);
    out.versions.push_back(std::move(version));
  }
  std::sort(out.versions.begin(), out.versions.end(),
            [](const Version& a, const Version& b) { return version_before(a.name, b.name); });
  serve_packages(out);
  return out;
}

// One of Portico's kinds by its definition, with the columns of the command line.
// PackageVariantSets of the first version are converted on write (api/old_package_variant_set.h),
// which rejects unknown fields: pruning would lose stored fields of the next version.
Catalog::Type own(const Value& definition) {
  auto made = type_of_definition(definition);
  if (!made || *made == nullptr) return nullptr;
  auto out = std::make_shared<ResourceType>(**made);
  const resources::Resource* resource = resources::find(out->kind());
  if (resource == nullptr) {
    // Porch's internal records of package revisions: derived from those, and read-only.
    out->origin = Origin::kPackages;
    out->verbs = {"get", "list", "watch"};
    out->storage_version = "";
    for (Version& version : out->versions) version.has_status = false;
    return out;
  }
  for (Version& version : out->versions) {
    version.columns = columns_of(*resource);
    if (out->names.kind != api::kVariantSetKind || version.name == out->storage_version) continue;
    version.schema = described(version.schema->source);
    version.rules = {};
    version.type = {};
  }
  return out;
}

}  // namespace

Catalog builtin_catalog() {
  std::vector<ResourceType> types;

  ResourceType namespaces = stored("", "v1", "Namespace", "namespaces");
  namespaces.namespaced = false;
  namespaces.name_rule = schema::NameRule::kLabel;
  std::erase(namespaces.verbs, "deletecollection");
  namespaces.versions[0].has_status = true;
  namespaces.versions[0].subresources = {{"finalize", "", "", "Namespace", {"update"}}};
  namespaces.versions[0].columns = {
      name_column(), text_column("Status", "The status of the namespace", {"status", "phase"}),
      age_column()};
  types.push_back(std::move(namespaces));

  ResourceType config_maps = stored("", "v1", "ConfigMap", "configmaps");
  config_maps.versions[0].columns = {
      name_column(), count_column("Data", "Number of data entries", {"data", "binaryData"}),
      age_column()};
  types.push_back(std::move(config_maps));

  ResourceType secrets = stored("", "v1", "Secret", "secrets");
  secrets.versions[0].columns = {name_column(), text_column("Type", "Type of the secret", {"type"}),
                                 count_column("Data", "Number of data entries", {"data"}),
                                 age_column()};
  types.push_back(std::move(secrets));

  ResourceType accounts = stored("", "v1", "ServiceAccount", "serviceaccounts");
  accounts.versions[0].subresources = {
      {"token", "authentication.k8s.io", "v1", "TokenRequest", {"create"}}};
  accounts.versions[0].columns = {
      name_column(), count_column("Secrets", "Number of referenced secrets", {"secrets"}),
      age_column()};
  types.push_back(std::move(accounts));

  types.push_back(event_type(""));
  types.push_back(event_type("events.k8s.io"));

  ResourceType leases = stored("coordination.k8s.io", "v1", "Lease", "leases");
  leases.versions[0].columns = {
      name_column(),
      text_column("Holder", "Identity of the current holder", {"spec", "holderIdentity"}),
      age_column()};
  types.push_back(std::move(leases));

  for (const auto& [kind, plural, namespaced] :
       {std::tuple{"Role", "roles", true}, std::tuple{"RoleBinding", "rolebindings", true},
        std::tuple{"ClusterRole", "clusterroles", false},
        std::tuple{"ClusterRoleBinding", "clusterrolebindings", false}}) {
    ResourceType type = stored("rbac.authorization.k8s.io", "v1", kind, plural);
    type.namespaced = namespaced;
    type.name_rule = schema::NameRule::kPathSegment;
    type.versions[0].columns = rbac_columns(kind);
    types.push_back(std::move(type));
  }
  types.push_back(definition_type());

  for (const auto& [kind, plural] :
       {std::pair{"LocalSubjectAccessReview", "localsubjectaccessreviews"},
        std::pair{"SelfSubjectAccessReview", "selfsubjectaccessreviews"},
        std::pair{"SelfSubjectRulesReview", "selfsubjectrulesreviews"},
        std::pair{"SubjectAccessReview", "subjectaccessreviews"}})
    types.push_back(review_type("authorization.k8s.io", kind, plural));
  types.push_back(review_type("authentication.k8s.io", "SelfSubjectReview", "selfsubjectreviews"));
  types.push_back(review_type("authentication.k8s.io", "TokenReview", "tokenreviews"));

  for (const resources::Resource& resource : resources::all())
    if (resource.kind.group == api::kPorchGroup) types.push_back(packages(resource));

  Catalog out;
  for (ResourceType& type : types)
    out = out.with(std::make_shared<const ResourceType>(std::move(type)));
  for (const Value& definition : kinds::definitions())
    if (Catalog::Type type = own(definition)) out = out.with(std::move(type));
  return out;
}

}  // namespace portico::kubeapi
