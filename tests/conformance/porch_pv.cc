// Porch's PackageVariant controller: see ../shared/conformance/porch-pv/README.md.
#include <algorithm>
#include <functional>
#include <map>
#include <string>

#include "api/kinds.h"
#include "api/package_resources.h"
#include "api/package_variant.h"
#include "conformance/suite.h"
#include "conformance/support.h"
#include "json/text.h"
#include "krm/object.h"
#include "package/context.h"
#include "package/inject.h"
#include "package/pipeline.h"
#include "variants/decide.h"
#include "variants/naming.h"
#include "variants/upstream.h"

namespace portico::conformance {

namespace {

namespace fs = std::filesystem;

/// One case: its folder and case.yaml.
struct PvCase {
  std::string name;
  fs::path folder;
  json::Value spec;

  json::Value file(std::string_view key) const { return yaml(spec["inputs"][key].as_string()); }
  json::Value yaml(std::string_view file_name) const {
    auto text = read_file(folder / file_name);
    if (!text) throw std::runtime_error(text.error().text());
    auto object = krm::Object::parse(*text);
    if (!object) throw std::runtime_error(object.error().text());
    return object->value();
  }
  std::string text(std::string_view key) const { return std::string(spec[key].as_string()); }
};

std::string shown(const json::Value& value) { return json::print_pretty(value, 2) + "\n"; }

CaseResult same(const PvCase& one, const json::Value& want, const json::Value& have) {
  return want == have ? passed(one.name) : failed(one.name, difference(shown(want), shown(have)));
}

CaseResult same_error(const PvCase& one, const std::string& have) {
  const json::Value& want = one.spec["expectedError"];
  if (want.is_null() || have.empty())
    return same(one, want.is_null() ? json::Value("") : want, json::Value(have));
  const std::string how = one.text("compareError");
  const std::string text(want.as_string());
  const bool ok = how == "prefix"     ? have.starts_with(text)
                  : how == "contains" ? have.find(text) != std::string::npos
                  : how == "any"      ? true
                                      : have == text;
  return ok ? passed(one.name) : failed(one.name, difference(text, have));
}

json::Value messages(const std::vector<Cause>& causes) {
  std::vector<json::Value> out;
  for (const Cause& cause : causes) out.emplace_back(cause.message);
  return json::Value::array(std::move(out));
}

json::Value strings(const std::vector<std::string>& list) {
  return json::Value::array({list.begin(), list.end()});
}

template <class T>
T decoded(const json::Value& value) {
  auto result = api::decode<T>(value);
  if (!result) throw std::runtime_error(result.error().text());
  return *std::move(result);
}

variants::Revision revision(const json::Value& value) {
  return {std::make_shared<const api::PackageRevision>(decoded<api::PackageRevision>(value)), "",
          ""};
}

std::vector<variants::Revision> revisions(const json::Value& items) {
  std::vector<variants::Revision> out;
  for (const json::Value& item : items.items()) out.push_back(revision(item));
  return out;
}

api::Upstream upstream_of(const PvCase& one) {
  return *decoded<api::PackageVariantSpec>(
              json::Value::object({{"upstream", one.spec["upstream"]}}))
              .upstream;
}

CaseResult validate_variant(const PvCase& one) {
  const auto variant = decoded<api::PackageVariant>(one.file("packageVariant"));
  return same(one, one.spec["expectedErrors"], messages(api::validate(variant.spec)));
}

CaseResult valid_upstream(const PvCase& one) {
  // Validate the upstream alone, in a spec that is otherwise valid.
  api::PackageVariantSpec spec;
  spec.downstream = {"r", "p"};
  if (!one.spec["upstream"].is_null()) spec.upstream = upstream_of(one);
  return same(one, one.spec["expectedErrors"], messages(api::validate(spec)));
}

CaseResult new_workspace_name(const PvCase& one) {
  const json::Value list = one.file("packageRevisionList");
  const auto observed = revisions(list["items"]);
  return same(one, one.spec["expected"],
              json::Value(variants::next_workspace_name(
                  observed, {one.text("repo"), one.text("packageName")})));
}

CaseResult get_upstream(const PvCase& one) {
  api::Upstream upstream = upstream_of(one);
  if (one.text("op") == "getPublishedUpstreamByRevision") upstream.workspace_name.clear();
  const auto observed = revisions(one.spec["packageRevisionItems"]);
  const auto found = variants::resolve_upstream(upstream, observed);
  if (!found) return same_error(one, found.error().text());
  if (one.spec["expectedFound"].as_bool()) return passed(one.name);
  return same_error(one, "");
}

/// The controller's decisions about downstream revisions: the revisions that it returns (adopted if
/// required), and its writes.
CaseResult downstreams(const PvCase& one) {
  const auto variant = decoded<api::PackageVariant>(one.file("packageVariant"));
  const json::Value list = one.file("packageRevisionList");
  auto observed = revisions(list["items"]);
  std::vector<json::Value> calls;
  const auto call = [&](const char* verb, const variants::Revision& which) {
    calls.push_back(json::Value::object({{"verb", verb}, {"name", which.name()}}));
  };
  const variants::Downstreams before = variants::sort_downstreams(variant, observed);
  for (const variants::Revision& stray : before.strays) {
    const variants::Farewell how = variants::farewell(stray, variant);
    if (how == variants::Farewell::kDelete) {
      call("delete", stray);
    } else if (how != variants::Farewell::kNone) {
      call("update", stray);
    }
  }
  for (const variants::Revision& adopted : before.adoptable) {
    call("update", adopted);
    for (variants::Revision& each : observed)
      if (each == adopted)
        each.object = std::make_shared<const api::PackageRevision>(
            variants::adopted(*adopted.object, variant));
  }
  std::vector<json::Value> want, have;
  // Porch's owner references repeat the apiVersion in the variant's file, which has no version
  // here.
  const std::string api_version(one.file("packageVariant")["apiVersion"].as_string());
  for (const variants::Revision& target : variants::sort_downstreams(variant, observed).targets()) {
    api::PackageRevision object = *target.object;
    for (krm::OwnerReference& owner : object.metadata.owners) owner.api_version = api_version;
    have.push_back(api::encode(object));
  }
  for (const json::Value& file : one.spec["expectedPackageRevisions"].items())
    want.push_back(api::encode(decoded<api::PackageRevision>(one.yaml(file.as_string()))));
  return same(one,
              json::Value::object({{"revisions", json::Value::array(want)},
                                   {"calls", one.spec["expectedClientCalls"]}}),
              json::Value::object(
                  {{"revisions", json::Value::array(have)}, {"calls", json::Value::array(calls)}}));
}

CaseResult delete_or_orphan(const PvCase& one) {
  const auto variant = decoded<api::PackageVariant>(one.file("packageVariant"));
  const variants::Revision before = revision(one.file("packageRevision"));
  const variants::Farewell how = variants::farewell(before, variant);
  std::vector<json::Value> calls;
  if (how != variants::Farewell::kNone)
    calls.push_back(
        json::Value::object({{"verb", how == variants::Farewell::kDelete ? "delete" : "update"},
                             {"name", before.name()}}));
  json::Value have = json::Value::object({{"calls", json::Value::array(calls)}});
  json::Value want = json::Value::object({{"calls", one.spec["expectedClientCalls"]}});
  if (one.spec.contains("expectedPackageRevision")) {
    // The annotation for a released revision is Portico's own.
    api::PackageRevision after = variants::after_farewell(*before.object, variant, how);
    after.metadata.annotations.erase(std::string(api::kLetGoAnnotation));
    have = have.with("revision", api::encode(after));
    want = want.with(
        "revision",
        api::encode(decoded<api::PackageRevision>(one.yaml(one.text("expectedPackageRevision")))));
  }
  return same(one, want, have);
}

/// Whether `have` contains everything in `want`.
bool covers(const json::Value& want, const json::Value& have) {
  if (want.is_object())
    return std::all_of(want.members().begin(), want.members().end(), [&](const json::Member& one) {
      return covers(one.value, have[one.name()]);
    });
  if (want.is_array()) {
    if (want.size() != have.size()) return false;
    for (std::size_t i = 0; i < want.size(); ++i)
      if (!covers(want[i], have[i])) return false;
    return true;
  }
  return want == have;
}

CaseResult create_edit_draft(const PvCase& one) {
  auto variant = decoded<api::PackageVariant>(one.file("packageVariant"));
  const variants::Revision source = revision(one.file("source"));
  const std::vector<variants::Revision> observed = {source};
  variant.spec.downstream = {source.spec().repository, source.spec().package_name};
  const variants::EditNewDraft step{
      source, source,
      variants::next_workspace_name(observed,
                                    {source.spec().repository, source.spec().package_name})};
  const json::Value have = api::encode(variants::new_draft(variant, step));
  if (!covers(one.spec["expectedDraft"], have)) return same(one, one.spec["expectedDraft"], have);
  for (const json::Value& path : one.spec["expectedDraftAbsent"].items())
    if (have["metadata"].contains(path.as_string().substr(std::string("metadata.").size())))
      return failed(one.name, std::string(path.as_string()) + " is set");
  return passed(one.name);
}

// ---- package mutations

krm::Package package_of(const json::Value& resources) {
  krm::Package package;
  for (const json::Member& file : resources["spec"]["resources"].members())
    package.set(std::string(file.name()), std::string(file.value.as_string()));
  return package;
}

Tree tree_of(const krm::Package& package) {
  Tree tree;
  for (const auto& [path, file] : package.files) tree[path] = file.text();
  return tree;
}

/// Decoded, to ignore layout: path, then each document.
json::Value meaning(const krm::Package& package) {
  std::vector<json::Member> files;
  for (const auto& [path, file] : package.files) {
    std::vector<json::Value> documents;
    const auto objects = krm::Object::parse_file(file.text());
    if (objects)
      for (const krm::Object& object : *objects) documents.push_back(object.value());
    files.push_back({path, json::Value::array(documents)});
  }
  return json::Value::object(files);
}

using Mutation = std::function<Result<krm::Package>(krm::Package)>;

CaseResult mutate(const PvCase& one, const Mutation& mutation) {
  auto have = mutation(package_of(one.file("packageRevisionResources")));
  if (!have) return same_error(one, have.error().text());
  const krm::Package want = package_of(one.yaml(one.text("expectedPackageRevisionResources")));
  if (one.spec["idempotent"].as_bool()) {
    const auto again = mutation(*have);
    if (!again || !(*again == *have)) return failed(one.name, "the second run changed something");
  }
  if (tree_of(*have) == tree_of(want)) return passed(one.name);
  // Portico keeps the layout of an edited list; Porch's printer uses the compact one.
  if (meaning(*have) == meaning(want)) return passed(one.name);
  return compare(one.name, tree_of(want), tree_of(*have));
}

CaseResult package_context(const PvCase& one) {
  const auto variant = decoded<api::PackageVariant>(one.file("packageVariant"));
  return mutate(one, [&](krm::Package package) {
    return package::set_context(std::move(package),
                                variant.spec.package_context.value_or(api::PackageContext{}));
  });
}

CaseResult krm_functions(const PvCase& one) {
  const auto variant = decoded<api::PackageVariant>(one.file("packageVariant"));
  return mutate(one, [&](krm::Package package) {
    return package::set_pipeline(std::move(package), variant.metadata.name,
                                 variant.spec.pipeline.value_or(api::Pipeline{}));
  });
}

CaseResult config_injection(const PvCase& one) {
  const auto variant = decoded<api::PackageVariant>(one.file("packageVariant"));
  package::InjectionObjects objects;
  for (const json::Member& kind : one.spec["cluster"].members()) {
    const json::Value list = one.yaml(kind.value.as_string());
    for (const json::Value& item : list["items"].items()) {
      const package::InjectionType type{std::string(item["apiVersion"].as_string()),
                                        std::string(item["kind"].as_string())};
      (*objects.try_emplace(type, std::vector<json::Value>{}).first->second).push_back(item);
    }
  }
  return mutate(one, [&](krm::Package package) -> Result<krm::Package> {
    PORTICO_TRY(package::Injection injection,
                package::inject(std::move(package), variant.spec.injectors, objects));
    return std::move(injection.package);
  });
}

json::Value point_value(const package::InjectionPoint& point) {
  return json::Value::object({{"file", point.file},
                              {"required", point.required},
                              {"conditionType", point.condition_type},
                              {"errors", strings(point.errors)}});
}

CaseResult find_points(const PvCase& one) {
  auto points = package::find_injection_points(package_of(one.file("packageRevisionResources")));
  if (!points) return same_error(one, points.error().text());
  std::sort(points->begin(), points->end(),
            [](const auto& a, const auto& b) { return a.condition_type < b.condition_type; });
  std::vector<json::Value> have;
  for (const package::InjectionPoint& point : *points) have.push_back(point_value(point));
  return same(one, one.spec["expectedInjectionPoints"], json::Value::array(have));
}

std::vector<package::InjectionPoint> given_points(const PvCase& one) {
  std::vector<package::InjectionPoint> points;
  for (const json::Value& value : one.spec["injectionPoints"].items()) {
    package::InjectionPoint point;
    point.file = value["file"].as_string();
    point.required = value["required"].as_bool();
    point.condition_type = value["conditionType"].as_string();
    for (const json::Value& error : value["errors"].items())
      point.errors.emplace_back(error.as_string());
    if (value["injected"].as_bool()) point.injected_name = value["injectedName"].as_string();
    points.push_back(std::move(point));
  }
  return points;
}

CaseResult validate_points(const PvCase& one) {
  const auto done = package::validate_injection_points(given_points(one));
  return same_error(one, done ? "" : done.error().text());
}

CaseResult conditions_and_gates(const PvCase& one) {
  auto text = read_file(one.folder / one.spec["inputs"]["kptfile"].as_string());
  if (!text) return failed(one.name, text.error().text());
  auto kptfile = krm::Object::parse(*text);
  if (!kptfile) return failed(one.name, kptfile.error().text());
  if (auto done = package::set_injection_conditions(*kptfile, given_points(one)); !done)
    return failed(one.name, done.error().text());
  return same(one, one.yaml(one.text("expectedKptfile")), kptfile->value());
}

CaseResult function_name(const PvCase& one) {
  return same(
      one, one.spec["expected"],
      json::Value(package::function_name(one.text("pvName"), one.text("funcName"),
                                         static_cast<std::size_t>(one.spec["position"].as_int()))));
}

CaseResult is_variant_function(const PvCase& one) {
  const auto function = krm::Object::parse(one.text("function"));
  if (!function) return failed(one.name, function.error().text());
  return same(one, one.spec["expected"],
              json::Value(package::is_variant_function(function->value()["name"].as_string(),
                                                       one.text("pvName"))));
}

using Operation = CaseResult (*)(const PvCase&);

const std::map<std::string, Operation>& operations() {
  static const std::map<std::string, Operation> table = {
      {"validatePackageVariant", validate_variant},
      {"isValidUpstream", valid_upstream},
      {"newWorkspaceName", new_workspace_name},
      {"getUpstreamPR", get_upstream},
      {"getPublishedUpstreamByRevision", get_upstream},
      {"getDownstreamPRs", downstreams},
      {"deleteOrOrphan", delete_or_orphan},
      {"createEditDraft", create_edit_draft},
      {"ensurePackageContext", package_context},
      {"ensureKRMFunctions", krm_functions},
      {"ensureConfigInjection", config_injection},
      {"findInjectionPoints", find_points},
      {"validateInjectionPoints", validate_points},
      {"setInjectionPointConditionsAndGates", conditions_and_gates},
      {"generatePVFuncName", function_name},
      {"isPackageVariantFunc", is_variant_function},
  };
  return table;
}

}  // namespace

std::vector<CaseResult> run_porch_pv(const fs::path& data) {
  return each_case(data, [](const std::string& name, const fs::path& folder) {
    PvCase one{name, folder, {}};
    one.spec = one.yaml("case.yaml");
    const auto operation = operations().find(one.text("op"));
    if (operation == operations().end())
      return skipped(name, "no operation \"" + one.text("op") + "\" here");
    return operation->second(one);
  });
}

}  // namespace portico::conformance
