#include "api/package_variant_set.h"

#include <fmt/format.h>

#include "api/internal/findings.h"
#include "api/internal/variant_fields.h"
#include "api/kinds.h"
#include "api/old_package_variant_set.h"

namespace portico::api {

namespace internal {

PORTICO_API_TABLE(RepositoryTarget, field("name", &RepositoryTarget::name),
                  field("packageNames", &RepositoryTarget::package_names));

PORTICO_API_TABLE(RepositorySelector, inlined(&RepositorySelector::labels),
                  field("packageNames", &RepositorySelector::package_names));

PORTICO_API_TABLE(ObjectSelector, field("apiVersion", &ObjectSelector::api_version),
                  field("kind", &ObjectSelector::kind), field("name", &ObjectSelector::name),
                  inlined(&ObjectSelector::labels),
                  field("packageNames", &ObjectSelector::package_names));

PORTICO_API_TABLE(MapExpr, field("key", &MapExpr::key), field("value", &MapExpr::value),
                  field("keyExpr", &MapExpr::key_expr), field("valueExpr", &MapExpr::value_expr));

PORTICO_API_TABLE(DownstreamTemplate, field("repo", &DownstreamTemplate::repo),
                  field("package", &DownstreamTemplate::package),
                  field("repoExpr", &DownstreamTemplate::repo_expr),
                  field("packageExpr", &DownstreamTemplate::package_expr));

PORTICO_API_TABLE(PackageContextTemplate, field("data", &PackageContextTemplate::data),
                  field("removeKeys", &PackageContextTemplate::remove_keys),
                  field("dataExprs", &PackageContextTemplate::data_exprs),
                  field("removeKeyExprs", &PackageContextTemplate::remove_key_exprs));

PORTICO_API_TABLE(InjectionSelectorTemplate, field("group", &InjectionSelectorTemplate::group),
                  field("version", &InjectionSelectorTemplate::version),
                  field("kind", &InjectionSelectorTemplate::kind),
                  field("name", &InjectionSelectorTemplate::name),
                  field("nameExpr", &InjectionSelectorTemplate::name_expr));

PORTICO_API_TABLE(FunctionTemplate, inlined(&FunctionTemplate::function),
                  field("configMapExprs", &FunctionTemplate::config_map_exprs));

PORTICO_API_TABLE(PipelineTemplate, field("validators", &PipelineTemplate::validators),
                  field("mutators", &PipelineTemplate::mutators));

PORTICO_API_TABLE(VariantTemplate, field("downstream", &VariantTemplate::downstream),
                  field("adoptionPolicy", &VariantTemplate::adoption_policy),
                  field("deletionPolicy", &VariantTemplate::deletion_policy),
                  field("labels", &VariantTemplate::labels),
                  field("labelExprs", &VariantTemplate::label_exprs),
                  field("annotations", &VariantTemplate::annotations),
                  field("annotationExprs", &VariantTemplate::annotation_exprs),
                  field("packageContext", &VariantTemplate::package_context),
                  field("pipeline", &VariantTemplate::pipeline),
                  field("injectors", &VariantTemplate::injectors),
                  alias("injectorExprs", "injectors", &VariantTemplate::injectors),
                  field("upgradeStrategy", &VariantTemplate::upgrade_strategy),
                  field("onConflict", &VariantTemplate::on_conflict),
                  field("approval", &VariantTemplate::approval));

PORTICO_API_TABLE(Target, field("repositories", &Target::repositories),
                  field("repositorySelector", &Target::repository_selector),
                  field("objectSelector", &Target::object_selector),
                  field("packageNames", &Target::package_names), field("template", &Target::tmpl));

PORTICO_API_TABLE(PackageVariantSetSpec, field("upstream", &PackageVariantSetSpec::upstream),
                  field("targets", &PackageVariantSetSpec::targets),
                  field("deletionGuard", &PackageVariantSetSpec::deletion_guard));

PORTICO_API_TABLE(TargetCounts, count("desired", &TargetCounts::desired),
                  count("ready", &TargetCounts::ready), count("waiting", &TargetCounts::waiting),
                  count("failed", &TargetCounts::failed));

PORTICO_API_TABLE(TargetFailure, field("repo", &TargetFailure::repo),
                  field("package", &TargetFailure::package),
                  field("message", &TargetFailure::message));

PORTICO_API_TABLE(PackageVariantSetStatus,
                  field("observedGeneration", &PackageVariantSetStatus::observed_generation),
                  field("conditions", &PackageVariantSetStatus::conditions),
                  field("targets", &PackageVariantSetStatus::targets),
                  field("failures", &PackageVariantSetStatus::failures),
                  field("retry", &PackageVariantSetStatus::retry));

PORTICO_API_TABLE(PackageVariantSet, field("metadata", &PackageVariantSet::metadata),
                  field("spec", &PackageVariantSet::spec),
                  field("status", &PackageVariantSet::status));
PORTICO_API_KIND(PackageVariantSet, kConfigV1Alpha2, kVariantSetKind);

}  // namespace internal

PORTICO_API_TYPE(PackageVariantSetSpec);
PORTICO_API_TYPE(PackageVariantSetStatus);
PORTICO_API_TYPE(VariantTemplate);
PORTICO_API_TYPE(MapExpr);
PORTICO_API_TYPE(Target);

template <>
Result<Decoded<PackageVariantSet>> decode_reporting<PackageVariantSet>(const json::Value& value) {
  if (value["apiVersion"].as_string() != kConfigV1Alpha1)
    return internal::decode_by_table<PackageVariantSet>(value);
  PORTICO_TRY(ConvertedSet converted, convert_old_set(value));
  PORTICO_TRY(Decoded<PackageVariantSet> out,
              internal::decode_by_table<PackageVariantSet>(converted.object));
  out.warnings.insert(out.warnings.begin(), converted.warnings.begin(), converted.warnings.end());
  return out;
}
template <>
json::Value encode<PackageVariantSet>(const PackageVariantSet& value) {
  return internal::encode_by_table(value);
}
PORTICO_API_SHAPE(PackageVariantSet);

namespace {

class SetValidator {
 public:
  std::vector<Cause> run(const PackageVariantSetSpec& spec) && {
    upstream(spec.upstream);
    if (!spec.targets)
      found_.required("spec.targets", "must specify at least one item in spec.targets");
    for (std::size_t i = 0; i < spec.target_list().size(); ++i)
      target(spec.target_list()[i], fmt::format("spec.targets[{}]", i));
    if (!spec.deletion_guard.empty() && spec.deletion_guard != "on" && spec.deletion_guard != "off")
      found_.unsupported("spec.deletionGuard",
                         "spec.deletionGuard can only be \"on\" or \"off\", found \"{}\"",
                         spec.deletion_guard);
    return std::move(found_).take();
  }

 private:
  void upstream(const std::optional<Upstream>& upstream) {
    const auto missing = [&](const std::string& field) {
      found_.required(field, "{} is a required field", field);
    };
    if (!upstream) return missing("spec.upstream");
    if (upstream->package.empty()) missing("spec.upstream.package");
    if (upstream->repo.empty()) missing("spec.upstream.repo");
    found_.add(validate_upstream_choice(*upstream, "spec.upstream"));
  }

  /// The package names of the target must not contradict those inside the selector.
  void one_list(const Target& target, const std::vector<std::string>& own, const std::string& place,
                const std::string& path) {
    if (!own.empty() && !target.package_names.empty() && own != target.package_names)
      found_.invalid(path + ".packageNames",
                     "{}.packageNames and {}.packageNames differ; one of them is enough", path,
                     place);
  }

  void target(const Target& target, const std::string& path) {
    package_names(target.package_names, path);
    const int kinds = (target.repositories ? 1 : 0) + (target.repository_selector ? 1 : 0) +
                      (target.object_selector ? 1 : 0);
    if (target.repositories) {
      if (target.repositories->empty())
        found_.required(path + ".repositories",
                        "{}.repositories must not be an empty list if specified", path);
      for (std::size_t i = 0; i < target.repositories->size(); ++i) {
        const RepositoryTarget& repository = (*target.repositories)[i];
        const std::string place = fmt::format("{}.repositories[{}]", path, i);
        if (repository.name.empty())
          found_.required(place + ".name", "{}.name cannot be empty", place);
        package_names(repository.package_names, place);
        one_list(target, repository.package_names, place, path);
      }
    }
    if (target.repository_selector) {
      const std::string place = path + ".repositorySelector";
      package_names(target.repository_selector->package_names, place);
      one_list(target, target.repository_selector->package_names, place, path);
      labels(target.repository_selector->labels, place);
    }
    if (target.object_selector) {
      const ObjectSelector& selector = *target.object_selector;
      if (selector.api_version.empty())
        found_.required(path + ".objectSelector.apiVersion",
                        "{}.objectselector.apiVersion cannot be empty", path);
      if (selector.kind.empty())
        found_.required(path + ".objectSelector.kind", "{}.objectselector.kind cannot be empty",
                        path);
      package_names(selector.package_names, path + ".objectSelector");
      one_list(target, selector.package_names, path + ".objectSelector", path);
      labels(selector.labels, path + ".objectSelector");
    }
    if (kinds != 1)
      found_.invalid(
          path, "{} must specify one of `repositories`, `repositorySelector`, or `objectSelector`",
          path);
    if (target.tmpl) variant(*target.tmpl, path + ".template");
  }

  void package_names(const std::vector<std::string>& names, const std::string& path) {
    for (std::size_t i = 0; i < names.size(); ++i)
      if (names[i].empty())
        found_.invalid(fmt::format("{}.packageNames[{}]", path, i),
                       "{}.packageNames[{}] cannot be empty", path, i);
  }

  void labels(const LabelSelector& written, const std::string& path) {
    if (auto made = selector(written); !made)
      found_.invalid(path, "{}", std::move(made).error().in(path).text());
  }

  void variant(const VariantTemplate& one, const std::string& path) {
    if (one.adoption_policy && *one.adoption_policy != kAdoptNone &&
        *one.adoption_policy != kAdoptExisting)
      found_.unsupported(path + ".adoptionPolicy",
                         "{}.adoptionPolicy can only be \"adoptNone\" or \"adoptExisting\"", path);
    if (one.deletion_policy && *one.deletion_policy != kPolicyOrphan &&
        *one.deletion_policy != kPolicyDelete)
      found_.unsupported(path + ".deletionPolicy",
                         "{}.deletionPolicy can only be \"orphan\" or \"delete\"", path);
    found_.add(
        validate_merge(one.upgrade_strategy.value_or(""), one.on_conflict.value_or(""), path));
    if (one.approval) found_.add(validate_approval(*one.approval, path));
    if (one.downstream) {
      const DownstreamTemplate& downstream = *one.downstream;
      if (downstream.repo && downstream.repo_expr)
        found_.invalid(path + ".downstream",
                       "{} may specify only one of `downstream.repo` and `downstream.repoExpr`",
                       path);
      if (downstream.package && downstream.package_expr)
        found_.invalid(
            path + ".downstream",
            "{} may specify only one of `downstream.package` and `downstream.packageExpr`", path);
    }
    map_exprs(one.label_exprs, path + ".labelExprs");
    map_exprs(one.annotation_exprs, path + ".annotationExprs");
    if (one.package_context)
      map_exprs(one.package_context->data_exprs, path + ".packageContext.dataExprs");
    for (std::size_t i = 0; i < one.injectors.size(); ++i) {
      const InjectionSelectorTemplate& injector = one.injectors[i];
      const std::string place = fmt::format("{}.injectors[{}]", path, i);
      if (injector.name && injector.name_expr)
        found_.invalid(place, "{} may specify only one of `name` and `nameExpr`", place);
      if (!injector.name && !injector.name_expr)
        found_.required(place, "{} must specify either `name` or `nameExpr`", place);
    }
    if (one.pipeline) {
      functions(one.pipeline->validators, path + ".pipeline.validators");
      functions(one.pipeline->mutators, path + ".pipeline.mutators");
    }
  }

  void map_exprs(const std::vector<MapExpr>& exprs, const std::string& path) {
    for (std::size_t i = 0; i < exprs.size(); ++i) {
      const MapExpr& one = exprs[i];
      const std::string place = fmt::format("{}[{}]", path, i);
      if (one.key && one.key_expr)
        found_.invalid(place, "{} may specify only one of `key` and `keyExpr`", place);
      if (one.value && one.value_expr)
        found_.invalid(place, "{} may specify only one of `value` and `valueExpr`", place);
      if (!one.key && !one.key_expr)
        found_.required(place, "{} must specify either `key` or `keyExpr`", place);
    }
  }

  void functions(const std::vector<FunctionTemplate>& functions, const std::string& path) {
    for (std::size_t i = 0; i < functions.size(); ++i) {
      const Function& function = functions[i].function;
      const std::string place = fmt::format("{}[{}]", path, i);
      if (function.image.empty())
        found_.required(place + ".image", "{}.image must not be empty", place);
      if (function.name.find('.') != std::string::npos)
        found_.invalid(place + ".name", "{}.name must not contain '.'", place);
      map_exprs(functions[i].config_map_exprs, place + ".configMapExprs");
    }
  }

  internal::Findings found_;
};

}  // namespace

const std::vector<std::string>& package_names(const Target& target,
                                              const std::vector<std::string>& own) {
  return own.empty() ? target.package_names : own;
}

std::vector<Cause> validate(const PackageVariantSetSpec& spec) { return SetValidator().run(spec); }

}  // namespace portico::api
