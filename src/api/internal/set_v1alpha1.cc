#include "api/internal/set_v1alpha1.h"

#include <fmt/format.h>

#include "api/internal/variant_fields.h"
#include "api/kinds.h"
#include "json/text.h"

namespace portico::api::internal {

namespace {

struct OldPackage {
  std::string repo, name;
};
struct OldUpstream {
  OldPackage package;
  std::optional<std::int64_t> revision;
  std::string tag;
};
struct OldValue {
  std::string value, from_field;
};
struct OldSelector {
  std::string api_version, kind, name, ns;
  LabelSelector labels;
  StringMap annotations;
};
struct OldObjects {
  std::vector<OldSelector> selectors;
  std::optional<OldValue> repo_name;
};
struct OldPackageName {
  std::optional<OldValue> base, suffix, prefix;
};
struct OldTarget {
  std::optional<OldPackage> package;
  std::optional<LabelSelector> repositories;
  std::optional<OldObjects> objects;
  std::optional<OldPackageName> package_name;
};
struct OldSpec {
  std::optional<OldUpstream> upstream;
  std::vector<OldTarget> targets;
  std::string adoption_policy, deletion_policy;
  StringMap labels, annotations;
};
struct OldSet {
  ObjectMeta metadata;
  OldSpec spec;
  json::Value status;
};

}  // namespace

PORTICO_API_TABLE(OldPackage, field("repo", &OldPackage::repo), field("name", &OldPackage::name));
PORTICO_API_TABLE(OldUpstream, field("package", &OldUpstream::package),
                  revision("revision", &OldUpstream::revision), field("ref", &OldUpstream::tag));
PORTICO_API_TABLE(OldValue, field("value", &OldValue::value),
                  field("fromField", &OldValue::from_field));
PORTICO_API_TABLE(OldSelector, field("apiVersion", &OldSelector::api_version),
                  field("kind", &OldSelector::kind), field("name", &OldSelector::name),
                  field("namespace", &OldSelector::ns),
                  field("labelSelector", &OldSelector::labels),
                  field("annotations", &OldSelector::annotations));
PORTICO_API_TABLE(OldObjects, field("selectors", &OldObjects::selectors),
                  field("repoName", &OldObjects::repo_name));
PORTICO_API_TABLE(OldPackageName, field("baseName", &OldPackageName::base),
                  field("nameSuffix", &OldPackageName::suffix),
                  field("namePrefix", &OldPackageName::prefix));
PORTICO_API_TABLE(OldTarget, field("package", &OldTarget::package),
                  field("repositories", &OldTarget::repositories),
                  field("objects", &OldTarget::objects),
                  field("packageName", &OldTarget::package_name));
PORTICO_API_TABLE(OldSpec, field("upstream", &OldSpec::upstream),
                  field("targets", &OldSpec::targets),
                  field("adoptionPolicy", &OldSpec::adoption_policy),
                  field("deletionPolicy", &OldSpec::deletion_policy),
                  field("labels", &OldSpec::labels), field("annotations", &OldSpec::annotations));
PORTICO_API_TABLE(OldSet, field("metadata", &OldSet::metadata), field("spec", &OldSet::spec),
                  field("status", &OldSet::status));
template <>
struct Kind<OldSet> {
  static constexpr bool is_kind = true;
  [[maybe_unused]] static constexpr std::string_view api_version = kConfigV1Alpha1;
  static constexpr std::string_view kind = kVariantSetKind;
};

namespace {

std::string cel_string(std::string_view text) { return json::print(json::Value(text)); }

/// A CEL expression for what the old form read from the target object.
Result<std::string> expression(const OldValue& from) {
  if (from.from_field.empty()) return cel_string(from.value);
  if (!from.value.empty()) return invalid("may specify only one of `value` and `fromField`");
  std::string_view path = from.from_field;
  if (path.starts_with('.')) path.remove_prefix(1);
  if (path == "metadata.name") return std::string("target.name");
  if (path == "metadata.namespace") return std::string("target.namespace");
  for (const std::string_view map : {"labels", "annotations"}) {
    std::string_view key = path;
    const std::string prefix = "metadata." + std::string(map);
    if (!key.starts_with(prefix) || key.size() <= prefix.size() + 1) continue;
    key.remove_prefix(prefix.size());
    if (key.starts_with('.')) {
      key.remove_prefix(1);
    } else if (key.starts_with('[') && key.ends_with(']')) {
      key = key.substr(1, key.size() - 2);
      if (key.size() >= 2 && (key.front() == '\'' || key.front() == '"') &&
          key.back() == key.front())
        key = key.substr(1, key.size() - 2);
    } else {
      continue;
    }
    return fmt::format("target.{}[{}]", map, cel_string(key));
  }
  return invalid(
             "\"{}\" cannot be expressed in v1alpha2, whose expressions see name, namespace, "
             "labels "
             "and annotations only",
             from.from_field)
      .in("fromField");
}

Result<std::string> name_expression(const OldPackageName& name) {
  std::string whole;
  const auto add = [&](const std::optional<OldValue>& part,
                       const std::string& place) -> Result<Done> {
    if (!part) return Done{};
    PORTICO_TRY(const std::string one, expression(*part), place);
    whole += (whole.empty() ? "" : " + ") + one;
    return Done{};
  };
  PORTICO_DO(add(name.prefix, "namePrefix"));
  if (name.base) {
    PORTICO_DO(add(name.base, "baseName"));
  } else {
    whole += whole.empty() ? "packageDefault" : " + packageDefault";
  }
  PORTICO_DO(add(name.suffix, "nameSuffix"));
  return whole;
}

/// One old target gives as many new ones as it has object selectors.
Result<std::vector<Target>> convert(const OldTarget& old, const OldSpec& spec) {
  VariantTemplate tmpl;
  tmpl.labels = spec.labels;
  tmpl.annotations = spec.annotations;
  if (!spec.adoption_policy.empty()) tmpl.adoption_policy = spec.adoption_policy;
  if (!spec.deletion_policy.empty()) tmpl.deletion_policy = spec.deletion_policy;
  DownstreamTemplate downstream;
  if (old.package_name) {
    if (old.package) return invalid("does not go with package").in("packageName");
    PORTICO_TRY(downstream.package_expr, name_expression(*old.package_name), "packageName");
  }
  if (old.objects && old.objects->repo_name) {
    PORTICO_TRY(downstream.repo_expr, expression(*old.objects->repo_name), "objects.repoName");
  }
  if (downstream != DownstreamTemplate{}) tmpl.downstream = std::move(downstream);

  Target target;
  if (tmpl != VariantTemplate{}) target.tmpl = std::move(tmpl);
  std::vector<Target> out;
  if (old.package) {
    RepositoryTarget repository;
    repository.name = old.package->repo;
    if (!old.package->name.empty()) repository.package_names.push_back(old.package->name);
    target.repositories = {std::move(repository)};
  }
  if (old.repositories) target.repository_selector = {*old.repositories, {}};
  if (!old.objects) return std::vector<Target>{std::move(target)};

  if (old.objects->selectors.empty()) return invalid("must not be empty").in("objects.selectors");
  for (std::size_t i = 0; i < old.objects->selectors.size(); ++i) {
    const OldSelector& selector = old.objects->selectors[i];
    const auto refuse = [&](std::string_view field) {
      return invalid("cannot be expressed in v1alpha2")
          .in(fmt::format("objects.selectors[{}].{}", i, field));
    };
    if (!selector.ns.empty()) return refuse("namespace");
    if (!selector.annotations.empty()) return refuse("annotations");
    ObjectSelector& made = target.object_selector.emplace();
    made.api_version = selector.api_version;
    made.kind = selector.kind;
    made.name = selector.name;
    made.labels = selector.labels;
    out.push_back(target);
  }
  return out;
}

}  // namespace

Result<Decoded<PackageVariantSet>> decode_set_v1alpha1(const json::Value& value) {
  PORTICO_TRY(Decoded<OldSet> old, decode_by_table<OldSet>(value));
  Decoded<PackageVariantSet> out;
  out.warnings = std::move(old.warnings);
  out.warnings.push_back("apiVersion: config.porch.kpt.dev/v1alpha1 is read as v1alpha2");
  PackageVariantSet& set = out.value;
  set.metadata = std::move(old.value.metadata);
  if (!old.value.status.is_null()) {
    PORTICO_TRY(set.status, decode<PackageVariantSetStatus>(old.value.status), "status");
  }
  const OldSpec& spec = old.value.spec;
  if (spec.upstream) {
    Upstream& upstream = set.spec.upstream.emplace();
    upstream.repo = spec.upstream->package.repo;
    upstream.package = spec.upstream->package.name;
    upstream.revision = spec.upstream->revision;
    upstream.tag = spec.upstream->tag;
  }
  for (std::size_t i = 0; i < spec.targets.size(); ++i) {
    PORTICO_TRY(std::vector<Target> made, convert(spec.targets[i], spec),
                fmt::format("spec.targets[{}]", i));
    for (Target& target : made) set.spec.targets.push_back(std::move(target));
  }
  return out;
}

}  // namespace portico::api::internal
