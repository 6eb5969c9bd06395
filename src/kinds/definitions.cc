#include "kinds/definitions.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/function_config.h"
#include "api/kinds.h"
#include "api/package_resources.h"
#include "api/package_revision.h"
#include "api/package_variant.h"
#include "api/package_variant_set.h"
#include "api/repository.h"
#include "api/shape.h"
#include "json/patch.h"
#include "kinds/internal/facets.h"
#include "resources/resources.h"

namespace portico::kinds {
namespace {

using json::Value;

Value object(std::vector<json::Member> members) { return Value::object(std::move(members)); }

/// The schema of a kind: the fields of its struct, merged with the facets.
template <class Kind>
Value schema(const Value& facets) {
  Value out = api::shape<Kind>();
  for (const char* field : {"apiVersion", "kind"})
    out = out.with_at({"properties", field}, object({{"type", "string"}}));
  return json::with_merge_patch(out, facets);
}

struct Version {
  std::string_view name;
  Value schema;
};

struct Names {
  std::string_view kind, plural, singular;
  std::vector<Value> short_names;
};

/// Whether the status is a subresource.
enum class Status { kApart, kWithTheRest };

/// The first version is the storage version.
Value definition(const Names& names, const std::vector<Version>& versions,
                 Status status = Status::kApart) {
  std::vector<Value> list;
  for (const Version& version : versions) {
    Value one = object({{"name", version.name},
                        {"served", true},
                        {"storage", list.empty()},
                        {"schema", object({{"openAPIV3Schema", version.schema}})}});
    if (status == Status::kApart)
      one = one.with("subresources", object({{"status", Value::object()}}));
    if (Value columns =
            resources::printer_columns({std::string(api::kConfigGroup), std::string(names.kind)});
        !columns.is_null())
      one = one.with("additionalPrinterColumns", std::move(columns));
    list.push_back(std::move(one));
  }
  Value written = object({{"kind", names.kind},
                          {"listKind", fmt::format("{}List", names.kind)},
                          {"plural", names.plural},
                          {"singular", names.singular}});
  if (!names.short_names.empty())
    written = written.with("shortNames", Value::array(names.short_names));
  const auto* shown = resources::find({std::string(api::kConfigGroup), std::string(names.kind)});
  if (shown != nullptr && shown->in_all)
    written = written.with("categories", Value::array({Value("all")}));
  const std::string name = fmt::format("{}.{}", names.plural, api::kConfigGroup);
  return object({{"apiVersion", "apiextensions.k8s.io/v1"},
                 {"kind", "CustomResourceDefinition"},
                 {"metadata", object({{"name", name}})},
                 {"spec", object({{"group", api::kConfigGroup},
                                  {"names", std::move(written)},
                                  {"scope", "Namespaced"},
                                  {"versions", Value::array(std::move(list))}})}});
}

std::vector<Value> make_definitions() {
  const Value variant = schema<api::PackageVariant>(internal::variant_facets());
  return {
      definition({api::kFunctionConfigKind, "functionconfigs", "functionconfig", {"fnconfig"}},
                 {{"v1alpha1", schema<api::FunctionConfig>(internal::function_config_facets())}}),
      definition({"PackageRev", "packagerevs", "packagerev", {}},
                 {{"v1alpha1", internal::package_rev_schema()}}, Status::kWithTheRest),
      definition({api::kVariantKind, "packagevariants", "packagevariant", {"pv"}},
                 {{"v1alpha1", variant}, {"v1alpha2", variant}}),
      definition({api::kVariantSetKind, "packagevariantsets", "packagevariantset", {"pvs"}},
                 {{"v1alpha2", schema<api::PackageVariantSet>(internal::variant_set_facets())},
                  {"v1alpha1", internal::old_variant_set_schema()}}),
      definition({api::kRepositoryKind, "repositories", "repository", {"repo", "repos"}},
                 {{"v1alpha1", schema<api::Repository>(internal::repository_facets())}}),
  };
}

}  // namespace

const std::vector<Value>& definitions() {
  static const std::vector<Value> kAll = make_definitions();
  return kAll;
}

const Value& schema_of(std::string_view kind, std::string_view version) {
  static const Value kNone(nullptr);
  static const Value kRevision = schema<api::PackageRevision>(internal::revision_facets()),
                     kResources =
                         schema<api::PackageRevisionResources>(internal::resources_facets()),
                     kPackage = schema<api::PorchPackage>(internal::package_facets());
  if (version == "v1alpha1") {
    if (kind == api::kRevisionKind) return kRevision;
    if (kind == api::kResourcesKind) return kResources;
    if (kind == api::kPackageKind) return kPackage;
  }
  for (const Value& each : definitions()) {
    if (each["spec"]["names"]["kind"].as_string() != kind) continue;
    for (const Value& one : each["spec"]["versions"].items())
      if (one["name"].as_string() == version) return one["schema"]["openAPIV3Schema"];
  }
  return kNone;
}

std::string file_name(const Value& definition) {
  const Value& spec = definition["spec"];
  return fmt::format("{}_{}.yaml", spec["group"].as_string(), spec["names"]["plural"].as_string());
}

}  // namespace portico::kinds
