// Porch's PackageVariantSet controller: see ../shared/conformance/porch-pvs/README.md.
#include <algorithm>
#include <map>
#include <string>

#include "api/package_variant_set.h"
#include "conformance/suite.h"
#include "conformance/support.h"
#include "json/text.h"
#include "krm/object.h"
#include "variants/expand.h"
#include "variants/naming.h"
#include "variants/set_plan.h"
#include "variants/targets.h"
#include "variants/upstream.h"

namespace portico::conformance {

namespace {

namespace fs = std::filesystem;

struct PvsCase {
  std::string name;
  fs::path folder;
  json::Value spec;

  json::Value yaml(std::string_view file) const {
    auto text = read_file(folder / file);
    if (!text) throw std::runtime_error(text.error().text());
    auto object = krm::Object::parse(*text);
    if (!object) throw std::runtime_error(object.error().text());
    return object->value();
  }
  /// An input: the content of the named file, or the value itself.
  json::Value input(std::string_view key) const {
    const json::Value& value = spec["inputs"][key];
    return value.is_string() ? yaml(value.as_string()) : value;
  }
  std::string text(std::string_view key) const { return std::string(spec[key].as_string()); }
};

std::string shown(const json::Value& value) { return json::print_pretty(value, 2) + "\n"; }

CaseResult same(const PvsCase& one, const json::Value& want, const json::Value& have) {
  return want == have ? passed(one.name) : failed(one.name, difference(shown(want), shown(have)));
}

CaseResult same_error(const PvsCase& one, const std::string& have) {
  const json::Value& want = one.spec["expectedError"];
  return same(one, want.is_null() ? json::Value("") : want, json::Value(have));
}

template <class T>
T decoded(const json::Value& value) {
  auto result = api::decode<T>(value);
  if (!result) throw std::runtime_error(result.error().text());
  return *std::move(result);
}

std::vector<json::Value> items_of(const json::Value& list) {
  const json::Value& items = list.is_array() ? list : list["items"];
  return {items.items().begin(), items.items().end()};
}

variants::Revision revision(const json::Value& value) {
  return {std::make_shared<const api::PackageRevision>(decoded<api::PackageRevision>(value)), "",
          ""};
}

CaseResult validate_set(const PvsCase& one) {
  const auto set = decoded<api::PackageVariantSet>(one.input("packageVariantSet"));
  std::vector<json::Value> errors;
  for (const Cause& cause : api::validate(set.spec)) errors.emplace_back(cause.message);
  return same(one, one.spec["expectedErrors"], json::Value::array(std::move(errors)));
}

variants::SetSnapshot snapshot_of(const PvsCase& one) {
  variants::SetSnapshot snapshot;
  auto set = decoded<api::PackageVariantSet>(one.input("packageVariantSet"));
  set.metadata.uid = "set-uid";
  snapshot.set = std::make_shared<const api::PackageVariantSet>(std::move(set));
  return snapshot;
}

CaseResult unroll_targets(const PvsCase& one) {
  variants::SetSnapshot snapshot = snapshot_of(one);
  // The fake cluster answers every list with the same objects.
  const std::vector<json::Value> objects = items_of(one.yaml(one.text("clusterAnyList")));
  snapshot.repositories = objects;
  for (const api::Target& target : snapshot.set->spec.target_list())
    if (const auto& selector = target.object_selector)
      snapshot.objects[{selector->api_version, selector->kind}] = objects;
  const auto targets = variants::unroll(snapshot);
  if (!targets) return same_error(one, targets.error().text());
  std::vector<json::Value> have;
  for (const variants::SetTarget& target : *targets) {
    json::Value value = json::Value::object(
        {{"repoDefault", target.repo_default}, {"packageDefault", target.package_default}});
    if (!target.object.is_null())
      value = value.with("objectName", target.object["metadata"]["name"]);
    have.push_back(value);
  }
  return same(one, one.spec["expectedTargets"], json::Value::array(have));
}

/// The case's set with a single target that has the case's template.
CaseResult render_spec(const PvsCase& one) {
  auto set = decoded<api::PackageVariantSet>(one.input("packageVariantSet"));
  const json::Value& target = one.spec["target"];
  api::Target only;
  if (const json::Value& tmpl = target["template"]; !tmpl.is_null())
    only.tmpl = decoded<api::VariantTemplate>(tmpl);
  set.spec.targets = std::vector<api::Target>{only};
  const auto language = variants::ExpressionLanguage::make();
  if (!language) return failed(one.name, language.error().text());
  const auto compiled = variants::compile_set(*language, set.spec);
  if (!compiled) return same_error(one, compiled.error().text());

  const std::vector<json::Value> repositories = items_of(one.input("repositoryList"));
  variants::ExpandContext context;
  context.upstream = &*set.spec.upstream;
  context.upstream_object = one.input("upstreamPackageRevision");
  context.repository = [&](std::string_view name) -> const json::Value* {
    for (const json::Value& each : repositories)
      if (each["metadata"]["name"].as_string() == name) return &each;
    return nullptr;
  };
  const variants::SetTarget place{0, std::string(target["repoDefault"].as_string()),
                                  std::string(target["packageDefault"].as_string()),
                                  target["object"]};
  const auto& tmpl = compiled->templates[0];
  const auto expansion = variants::expand(tmpl ? &*tmpl : nullptr, place, context);
  if (!expansion.spec) return same_error(one, expansion.spec.error().text());
  if (!one.spec["expectedError"].is_null()) return same_error(one, "");
  const auto want = decoded<api::PackageVariantSpec>(one.yaml(one.text("expectedSpec")));
  return same(one, api::encode(want), api::encode(*expansion.spec));
}

variants::Bindings bindings_of(const json::Value& inputs) {
  variants::Bindings bindings(inputs["repoDefault"].as_string(),
                              inputs["packageDefault"].as_string(), cel::Value());
  const json::Value& target = inputs["target"];
  if (target.contains("repo")) {
    bindings.set_target(target["repo"].as_string(), target["package"].as_string());
  } else if (target.is_object()) {
    bindings.set_target(variants::visible(json::Value::object({{"metadata", target}})));
  }
  return bindings;
}

CaseResult eval_expr(const PvsCase& one) {
  const auto language = variants::ExpressionLanguage::make();
  if (!language) return failed(one.name, language.error().text());
  const std::string source = one.text("expr");
  if (const std::string issues = language->diagnose(source); !issues.empty())
    return same_error(one, issues);
  const auto expression = language->compile(source);
  if (!expression) return same_error(one, expression.error().text());
  const auto value = expression->evaluate(bindings_of(one.spec["inputs"]));
  if (!value) return same_error(one, value.error().text());
  return same(one, one.spec["expected"], json::Value(*value));
}

CaseResult overlay_map(const PvsCase& one) {
  const auto language = variants::ExpressionLanguage::make();
  if (!language) return failed(one.name, language.error().text());
  std::vector<api::MapExpr> exprs;
  for (const json::Value& item : one.spec["mapExprs"].items())
    exprs.push_back(decoded<api::MapExpr>(item));
  const std::string field = one.text("fieldName");
  const auto compiled = variants::compile_map(*language, exprs, field);
  if (!compiled) return same_error(one, compiled.error().text());
  const auto map = variants::overlay(krm::string_map(one.spec["inMap"]), *compiled,
                                     bindings_of(one.spec["inputs"]), field);
  if (!map) return same_error(one, map.error().text());
  return same(one, one.spec["expected"], krm::to_value(*map));
}

CaseResult variant_name(const PvsCase& one) {
  const variants::VariantKey key{one.text("repo"), one.text("package")};
  const std::string set = one.text("packageVariantSetName");
  return same(one,
              json::Value::object({{"identifier", one.spec["expectedIdentifier"]},
                                   {"name", one.spec["expectedName"]}}),
              json::Value::object({{"identifier", variants::variant_identifier(set, key)},
                                   {"name", variants::variant_name(set, key)}}));
}

CaseResult get_upstream(const PvsCase& one) {
  const auto spec =
      decoded<api::PackageVariantSpec>(json::Value::object({{"upstream", one.spec["upstream"]}}));
  std::vector<variants::Revision> observed;
  for (const json::Value& item : one.spec["packageRevisionItems"].items())
    observed.push_back(revision(item));
  const auto found = variants::resolve_upstream(*spec.upstream, observed);
  // Portico's text begins like Porch's and continues.
  const std::string want(one.spec["derived"]["error"].as_string());
  if (!found && !found.error().text().starts_with(want))
    return failed(one.name, difference(want, found.error().text()));
  return same(one, one.spec["expectedFound"], json::Value(found.ok()));
}

CaseResult ensure_variants(const PvsCase& one) {
  variants::SetSnapshot snapshot = snapshot_of(one);
  for (const json::Value& item : items_of(one.yaml(one.text("existingPackageVariants"))))
    snapshot.variants.push_back(
        std::make_shared<const api::PackageVariant>(decoded<api::PackageVariant>(item)));
  variants::DesiredSet desired;
  std::map<std::string, json::Value> repositories;
  variants::ExpandContext context;
  context.upstream = &*snapshot.set->spec.upstream;
  context.repository = [](std::string_view) { return nullptr; };
  for (const json::Value& target : one.spec["targets"].items()) {
    auto made = variants::expand(nullptr,
                                 {0,
                                  std::string(target["repoDefault"].as_string()),
                                  std::string(target["packageDefault"].as_string()),
                                  {}},
                                 context);
    desired.variants.push_back({*made.key, *made.spec, 0});
  }
  std::map<std::string, std::vector<std::string>> names = {
      {"deleted", {}}, {"updated", {}}, {"created", {}}};
  for (const variants::SetAction& action : variants::plan(snapshot, desired).actions)
    names[std::string(name(action.verb)) + "d"].push_back(action.object->metadata.name);
  json::Value have = json::Value::object();
  for (auto& [verb, list] : names) {
    std::sort(list.begin(), list.end());
    have = have.with(verb, json::Value::array({list.begin(), list.end()}));
  }
  return same(one, one.spec["expected"], have);
}

using Operation = CaseResult (*)(const PvsCase&);

const std::map<std::string, Operation>& operations() {
  static const std::map<std::string, Operation> table = {
      {"validatePackageVariantSet", validate_set},
      {"unrollDownstreamTargets", unroll_targets},
      {"renderPackageVariantSpec", render_spec},
      {"evalExpr", eval_expr},
      {"copyAndOverlayMapExpr", overlay_map},
      {"packageVariantName", variant_name},
      {"getUpstreamPR", get_upstream},
      {"ensurePackageVariants", ensure_variants},
  };
  return table;
}

}  // namespace

std::vector<CaseResult> run_porch_pvs(const fs::path& data) {
  return each_case(data, [](const std::string& name, const fs::path& folder) {
    PvsCase one{name, folder, {}};
    one.spec = one.yaml("case.yaml");
    const auto operation = operations().find(one.text("op"));
    if (operation == operations().end())
      return skipped(name, "no operation \"" + one.text("op") + "\" here");
    return operation->second(one);
  });
}

}  // namespace portico::conformance
