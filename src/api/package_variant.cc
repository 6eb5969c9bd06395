#include "api/package_variant.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "api/internal/findings.h"
#include "api/internal/variant_fields.h"
#include "api/kinds.h"
#include "base/spelling.h"
#include "json/text.h"
#include "krm/meta.h"

namespace portico::api {

namespace internal {

PORTICO_API_TABLE(Downstream, field("repo", &Downstream::repo),
                  field("package", &Downstream::package));

PORTICO_API_TABLE(PackageContext, field("data", &PackageContext::data),
                  field("removeKeys", &PackageContext::remove_keys));

PORTICO_API_TABLE(InjectionSelector, field("group", &InjectionSelector::group),
                  field("version", &InjectionSelector::version),
                  field("kind", &InjectionSelector::kind), field("name", &InjectionSelector::name));

PORTICO_API_TABLE(PackageVariantSpec, field("upstream", &PackageVariantSpec::upstream),
                  field("downstream", &PackageVariantSpec::downstream),
                  field("adoptionPolicy", &PackageVariantSpec::adoption_policy),
                  field("deletionPolicy", &PackageVariantSpec::deletion_policy),
                  field("labels", &PackageVariantSpec::labels),
                  field("annotations", &PackageVariantSpec::annotations),
                  field("packageContext", &PackageVariantSpec::package_context),
                  field("pipeline", &PackageVariantSpec::pipeline),
                  field("injectors", &PackageVariantSpec::injectors),
                  field("upgradeStrategy", &PackageVariantSpec::upgrade_strategy),
                  field("onConflict", &PackageVariantSpec::on_conflict),
                  field("approval", &PackageVariantSpec::approval));

PORTICO_API_TABLE(DownstreamTarget, field("name", &DownstreamTarget::name),
                  field("renderStatus", &DownstreamTarget::render_status),
                  field("lifecycle", &DownstreamTarget::lifecycle),
                  field("revision", &DownstreamTarget::revision),
                  field("inputsHash", &DownstreamTarget::inputs_hash),
                  field("since", &DownstreamTarget::since), field("tree", &DownstreamTarget::tree));

PORTICO_API_TABLE(ResolvedUpstream, field("packageRevision", &ResolvedUpstream::package_revision),
                  field("revision", &ResolvedUpstream::revision),
                  field("commit", &ResolvedUpstream::commit));

PORTICO_API_TABLE(MergeConflict, field("path", &MergeConflict::path),
                  field("object", &MergeConflict::object), field("field", &MergeConflict::field),
                  field("base", &MergeConflict::base), field("ours", &MergeConflict::ours),
                  field("theirs", &MergeConflict::theirs), field("taken", &MergeConflict::taken),
                  field("rule", &MergeConflict::rule));

PORTICO_API_TABLE(InjectedObject, field("apiVersion", &InjectedObject::api_version),
                  field("kind", &InjectedObject::kind), field("name", &InjectedObject::name),
                  field("uid", &InjectedObject::uid));

PORTICO_API_TABLE(UnchangedRevision, field("name", &UnchangedRevision::name),
                  field("tree", &UnchangedRevision::tree),
                  field("inputsHash", &UnchangedRevision::inputs_hash));
PORTICO_API_TABLE(PackageVariantStatus,
                  field("observedGeneration", &PackageVariantStatus::observed_generation),
                  field("conditions", &PackageVariantStatus::conditions),
                  field("downstreamTargets", &PackageVariantStatus::downstream_targets),
                  field("upstream", &PackageVariantStatus::upstream),
                  field("mergeConflicts", &PackageVariantStatus::merge_conflicts),
                  field("injected", &PackageVariantStatus::injected),
                  field("unchanged", &PackageVariantStatus::unchanged),
                  field("retry", &PackageVariantStatus::retry));

PORTICO_API_TABLE(PackageVariant, field("metadata", &PackageVariant::metadata),
                  field("spec", &PackageVariant::spec), field("status", &PackageVariant::status));
PORTICO_API_KIND(PackageVariant, kConfigV1Alpha1, kVariantKind);

}  // namespace internal

PORTICO_API_TYPE(PackageVariantSpec);
PORTICO_API_TYPE(PackageVariantStatus);
PORTICO_API_TYPE(PackageVariant);

PackageVariantSpec with_defaults(PackageVariantSpec spec) {
  const auto fill = [](std::string& field, std::string_view value) {
    if (field.empty()) field = value;
  };
  fill(spec.adoption_policy, kAdoptNone);
  fill(spec.deletion_policy, kPolicyDelete);
  fill(spec.upgrade_strategy, "resource-merge");
  fill(spec.on_conflict, "takeUpstream");
  return spec;
}

std::vector<Cause> validate_upstream_choice(const Upstream& upstream, const std::string& path) {
  internal::Findings findings;
  // Porch accepts workspaceName together with a revision, and its samples use both.
  const bool porch = upstream.revision.has_value() || !upstream.workspace_name.empty();
  const int ways =
      (porch ? 1 : 0) + (upstream.tag.empty() ? 0 : 1) + (upstream.constraint.empty() ? 0 : 1);
  if (ways > 1)
    findings.invalid(
        path, "{} may specify only one of `revision`, `workspaceName`, `tag` and `constraint`",
        path);
  return std::move(findings).take();
}

namespace {

using internal::Findings;

constexpr std::string_view kReservedKeys[] = {"name", "package-path"};

void validate_context(const PackageContext& context, Findings& findings) {
  const auto refuse = [&](std::string_view field, const json::Value& value, std::string_view key) {
    findings.invalid(fmt::format("spec.packageContext.{}", field),
                     "spec.packageContext.{}: Invalid value: {}: must not contain the key \"{}\"",
                     field, json::print(value), key);
  };
  const json::Value written = internal::encode_by_table(context);
  for (const std::string_view key : kReservedKeys) {
    if (context.data.contains(std::string(key))) refuse("data", written["data"], key);
    for (const std::string& removed : context.remove_keys)
      if (removed == key) refuse("removeKeys", written["removeKeys"], key);
  }
}

void validate_function(const Function& function, const std::string& path, Findings& findings) {
  if (function.image.empty() && function.exec.empty())
    findings.required(path, "{} must specify either `image` or `exec`", path);
  if (!function.image.empty() && !function.exec.empty())
    findings.invalid(path, "{} may specify only one of `image` and `exec`", path);
  if (!function.config_map.empty() && !function.config_path.empty())
    findings.invalid(path, "{} may specify only one of `configMap` and `configPath`", path);
}

}  // namespace

std::vector<Cause> validate(const PackageVariantSpec& spec) {
  Findings findings;
  const auto missing = [&](std::string_view field) {
    findings.required(fmt::format("spec.{}", field), "missing required field spec.{}", field);
  };
  if (!spec.upstream) {
    missing("upstream");
  } else {
    if (spec.upstream->repo.empty()) missing("upstream.repo");
    if (spec.upstream->package.empty()) missing("upstream.package");
    findings.add(validate_upstream_choice(*spec.upstream, "spec.upstream"));
  }
  if (!spec.downstream) {
    missing("downstream");
  } else {
    if (spec.downstream->repo.empty()) missing("downstream.repo");
    if (spec.downstream->package.empty()) missing("downstream.package");
  }
  if (!spec.adoption_policy.empty() && spec.adoption_policy != kAdoptNone &&
      spec.adoption_policy != kAdoptExisting)
    findings.unsupported("spec.adoptionPolicy",
                         "spec.adoptionPolicy field can only be \"adoptNone\" or "
                         "\"adoptExisting\"");
  if (!spec.deletion_policy.empty() && spec.deletion_policy != kPolicyOrphan &&
      spec.deletion_policy != kPolicyDelete)
    findings.unsupported("spec.deletionPolicy",
                         "spec.deletionPolicy can only be \"orphan\" or \"delete\"");
  for (const auto& [key, value] : spec.labels) {
    if (!krm::is_label_key(key))
      findings.invalid("spec.labels", "spec.labels: \"{}\" is not a valid label key", key);
    if (!krm::is_label_value(value))
      findings.invalid("spec.labels", "spec.labels: \"{}\" is not a valid label value", value);
  }
  for (const auto& [key, value] : spec.annotations)
    if (!krm::is_label_key(key))
      findings.invalid("spec.annotations", "spec.annotations: \"{}\" is not a valid annotation key",
                       key);
  if (spec.package_context) validate_context(*spec.package_context, findings);
  for (std::size_t i = 0; i < spec.injectors.size(); ++i)
    if (spec.injectors[i].name.empty())
      findings.required(fmt::format("spec.injectors[{}].name", i),
                        "spec.injectors[{}].name must not be empty", i);
  if (spec.pipeline) {
    for (std::size_t i = 0; i < spec.pipeline->validators.size(); ++i)
      validate_function(spec.pipeline->validators[i],
                        fmt::format("spec.pipeline.validators[{}]", i), findings);
    for (std::size_t i = 0; i < spec.pipeline->mutators.size(); ++i)
      validate_function(spec.pipeline->mutators[i], fmt::format("spec.pipeline.mutators[{}]", i),
                        findings);
  }
  findings.add(validate_merge(spec.upgrade_strategy, spec.on_conflict, "spec"));
  if (spec.approval) findings.add(validate_approval(*spec.approval, "spec"));
  return std::move(findings).take();
}

std::vector<Cause> validate_merge(std::string_view strategy, std::string_view on_conflict,
                                  const std::string& path) {
  Findings findings;
  const auto one_of = [&](std::string_view field, std::string_view value,
                          std::span<const std::string_view> words) {
    if (value.empty() || std::find(words.begin(), words.end(), value) != words.end()) return;
    std::string allowed;
    for (std::size_t i = 0; i < words.size(); ++i)
      allowed += fmt::format("{}\"{}\"",
                             i == 0                 ? ""
                             : i + 1 < words.size() ? ", "
                                                    : " or ",
                             words[i]);
    findings.unsupported(fmt::format("{}.{}", path, field), "{}.{} can only be {}, found \"{}\"{}",
                         path, field, allowed, value, hint(value, {words.begin(), words.end()}));
  };
  one_of("upgradeStrategy", strategy, kUpgradeStrategies);
  one_of("onConflict", on_conflict, kConflictPolicies);
  return std::move(findings).take();
}

}  // namespace portico::api
