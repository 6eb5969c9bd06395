// ../shared/conformance/porch-task: the effects of a PackageRevision's tasks on a package, and the
// checks before one is created.
#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "api/decode.h"
#include "api/package_revision.h"
#include "conformance/suite.h"
#include "conformance/support.h"
#include "drafts/tests/fleet.h"
#include "fnrun/builtin.h"
#include "json/text.h"
#include "krm/object.h"
#include "package/context.h"
#include "package/init.h"
#include "package/metadata.h"
#include "package/replace.h"
#include "render/render.h"
#include "repo/names.h"

namespace portico::conformance {
namespace {

namespace fs = std::filesystem;
using json::Value;
using krm::Package;

struct Task {
  std::string name;
  fs::path folder;
  Value info;

  std::string text(std::string_view field) const { return std::string(info[field].as_string()); }
  std::string input(std::string_view field) const {
    return read_file_or_empty(folder / std::string(info["inputs"][field].as_string()));
  }
};

Package read_package(const fs::path& folder) {
  Package package;
  for (const auto& [path, text] : read_tree(folder)) package.set(path, text);
  return package;
}

Tree tree_of(const Package& package) {
  Tree tree;
  for (const auto& [path, file] : package.files) tree.emplace(path, file.text());
  return tree;
}

Package with_kptfile(const std::string& text) {
  Package package;
  package.set("Kptfile", text);
  return package;
}

std::string kptfile_text(const Package& package) { return package.find("Kptfile")->text(); }

std::string shown(const Value& value) { return json::print_pretty(value, 2) + "\n"; }

api::StringMap string_map(const Value& value) {
  api::StringMap out;
  for (const json::Member& member : value.members())
    out.emplace(member.name(), member.value.as_string());
  return out;
}

Value value_of(const std::string& yaml) {
  const auto object = krm::Object::parse(yaml);
  return object ? object->value() : Value();
}

/// Compares a result with expectedError: null (none), a text, or a list of texts.
template <class T>
CaseResult check_error(const Task& task, const Result<T>& result) {
  const Value& expected = task.info["expectedError"];
  if (expected.is_null())
    return result ? passed(task.name) : failed(task.name, result.error().text() + "\n");
  if (result) return failed(task.name, "no error, expected: " + shown(expected));
  if (task.text("compareError") == "any") return passed(task.name);
  const std::string have = result.error().text();
  std::vector<std::string> wanted;
  if (expected.is_string()) wanted.emplace_back(expected.as_string());
  for (const Value& one : expected.items()) wanted.emplace_back(one.as_string());
  for (const std::string& want : wanted)
    if (have.find(want) == std::string::npos)
      return failed(task.name, difference(want + "\n", have + "\n"));
  return passed(task.name);
}

CaseResult run_patch_kptfile(const Task& task) {
  const Package before = with_kptfile(task.input("kptfile"));
  auto revision = api::decode<api::PackageRevision>(task.info["newPackageRevision"]);
  if (!revision) return failed(task.name, revision.error().text());
  auto after = package::set_metadata(before, package::change_to(*revision));
  if (!after) return failed(task.name, after.error().text());
  const bool changed = !(*after == before);
  if (changed != task.info["expectedChanged"].as_bool())
    return failed(task.name,
                  changed ? "changed:\n" + difference(kptfile_text(before), kptfile_text(*after))
                          : "not changed");
  if (task.info["expectedKptfile"].is_null()) return passed(task.name);
  const std::string want = read_file_or_empty(task.folder / task.text("expectedKptfile"));
  if (value_of(want) == value_of(kptfile_text(*after))) return passed(task.name);
  return failed(task.name, difference(want, kptfile_text(*after)));
}

CaseResult run_set_metadata(const Task& task) {
  package::MetadataChange change;
  if (!task.info["setLabels"].is_null()) change.labels = string_map(task.info["setLabels"]);
  if (!task.info["setAnnotations"].is_null())
    change.annotations = string_map(task.info["setAnnotations"]);
  if (!task.info["setReadinessGates"].is_null()) {
    change.readiness_gates.emplace();
    for (const Value& gate : task.info["setReadinessGates"].items())
      change.readiness_gates->push_back({std::string(gate.as_string())});
  }
  auto after = package::set_metadata(with_kptfile(task.input("kptfile")), change);
  if (!after) return failed(task.name, after.error().text());
  const std::string text = kptfile_text(*after);
  const Value metadata = value_of(text)["metadata"];
  for (const auto& [field, wanted] :
       {std::pair("labels", "expectedLabels"), std::pair("annotations", "expectedAnnotations")})
    if (const Value& want = task.info[wanted]; !want.is_null() && want != metadata[field])
      return failed(task.name, difference(shown(want), shown(metadata[field])));
  for (const Value& want : task.info["expectedContains"].items())
    if (text.find(want.as_string()) == std::string::npos)
      return failed(task.name, "lost: " + std::string(want.as_string()) + "\n" + text);
  for (const Value& unwanted : task.info["expectedNotContains"].items())
    if (text.find(unwanted.as_string()) != std::string::npos)
      return failed(task.name, "kept: " + std::string(unwanted.as_string()) + "\n" + text);
  return passed(task.name);
}

CaseResult run_map_metadata(const Task& task) {
  krm::Object kptfile =
      *krm::Object::parse("apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: pkg\n");
  if (task.info["current"].size() > 0)
    if (auto done = kptfile.set({"metadata", "labels"}, task.info["current"]); !done)
      return failed(task.name, done.error().text());
  const Package before = with_kptfile(kptfile.text());
  package::MetadataChange change;
  change.labels = string_map(task.info["desired"]);
  change.keep_others = !task.info["replace"].as_bool();
  auto after = package::set_metadata(before, change);
  if (!after) return failed(task.name, after.error().text());
  const bool changed = !(*after == before);
  if (changed != task.info["expectedChanged"].as_bool())
    return failed(task.name, changed ? "changed" : "not changed");
  const Value labels = value_of(kptfile_text(*after))["metadata"]["labels"];
  if (!changed || labels == task.info["expected"]) return passed(task.name);
  return failed(task.name, difference(shown(task.info["expected"]), shown(labels)));
}

CaseResult compare_package(const Task& task, const Result<Package>& made) {
  if (!made) return check_error(task, made);
  const Tree want = read_tree(task.folder / "expected");
  Tree have = tree_of(*made);
  if (const Value& files = task.info["compareFiles"]; files.size() > 0) {
    std::set<std::string> wanted;
    for (const Value& file : files.items()) wanted.emplace(file.as_string());
    std::erase_if(have, [&wanted](const auto& entry) { return !wanted.contains(entry.first); });
  }
  return compare(task.name, want, have);
}

CaseResult run_init(const Task& task) {
  const Value tasks =
      Value::array({Value::object({{"type", "init"}, {"init", task.info["task"]}})});
  auto revision =
      api::decode<api::PackageRevision>(Value::object().with_at({"spec", "tasks"}, tasks));
  if (!revision) return failed(task.name, revision.error().text());
  return compare_package(
      task, package::init(task.text("packageName"), *revision->spec.tasks.front().init));
}

CaseResult run_context(const Task& task) {
  return compare_package(task, package::generate_context(read_package(task.folder / "input"),
                                                         task.text("packagePath")));
}

CaseResult run_replace(const Task& task) {
  return compare_package(task, package::with_lost_comments(read_package(task.folder / "new"),
                                                           read_package(task.folder / "old")));
}

CaseResult run_render(const Task& task) {
  const fnrun::BuiltinRunner runner;
  auto rendered = render::render(read_package(task.folder / "input"), runner);
  if (!rendered) return check_error(task, rendered);
  if (rendered->failure) return failed(task.name, rendered->failure->text());
  return compare_package(task, rendered->package);
}

/// The package revisions of a case, in real repositories.
class World {
 public:
  /// Creates the described revision: {repository, packageName, workspaceName, revision, lifecycle}.
  Result<Done> make(const Value& revision, const std::string& kptfile) {
    const std::string repository(revision["repository"].as_string());
    const std::string package(revision["packageName"].as_string());
    PORTICO_DO(add_repository(repository));
    if (revision["revision"].as_int() == -1) {
      fleet_.commit(repository, std::string(revision["workspaceName"].as_string()),
                    {{package + "/Kptfile", kptfile}});
      PORTICO_DO(fleet_.sync(repository));
      return Done{};
    }
    drafts::DraftRequest draft = request(revision, drafts::InitSource{});
    if (draft.workspace.empty()) draft.workspace = "v1";
    PORTICO_TRY(const drafts::Drafted made, fleet_.drafts->draft(draft));
    const std::string name(made.object["metadata"]["name"].as_string());
    if (!kptfile.empty()) {
      draft.draft = name;
      draft.source = drafts::ReplaceSource{with_kptfile(kptfile)};
      PORTICO_DO(fleet_.drafts->draft(draft));
    }
    if (revision["lifecycle"].as_string() != "Published") return Done{};
    const krm::ObjectKey key = packages::revision_key(drafts::Fleet::kNs, name);
    PORTICO_DO(fleet_.packages->propose(key, {}));
    PORTICO_DO(fleet_.packages->approve(key, {}));
    return Done{};
  }

  Result<Done> add_repository(const std::string& name) {
    if (!repositories_.insert(name).second) return Done{};
    fleet_.make_git(name);
    fleet_.store_new(fleet_.repository_object(name, name));
    PORTICO_DO(fleet_.sync(name));
    return Done{};
  }

  drafts::DraftRequest request(const Value& revision, drafts::Source source) const {
    drafts::DraftRequest draft;
    draft.ns = drafts::Fleet::kNs;
    draft.repository = revision["repository"].as_string();
    draft.package = revision["packageName"].as_string();
    draft.workspace = revision["workspaceName"].as_string();
    draft.source = std::move(source);
    draft.render = false;
    draft.only_if_changed = false;
    draft.actor = {"Ada", "ada@example.com"};
    return draft;
  }

  drafts::Fleet& fleet() { return fleet_; }

 private:
  drafts::Fleet fleet_;
  std::set<std::string> repositories_;
};

CaseResult run_edit(const Task& task) {
  World world;
  Value source;
  for (const Value& revision : task.info["packageRevisions"].items()) {
    if (auto done = world.make(revision, task.input("sourceKptfile")); !done)
      return failed(task.name, done.error().text());
    if (revision["name"] == task.info["sourceRef"]) source = revision;
  }
  auto copied = world.fleet().drafts->draft(world.request(
      source.with("workspaceName", "copied"), drafts::CopySource{task.text("sourceRef")}));
  if (!copied || !task.info["expectedError"].is_null()) return check_error(task, copied);
  return compare(task.name, trimmed(read_file_or_empty(task.folder / task.text("expectedKptfile"))),
                 trimmed(kptfile_text(copied->built.content)));
}

CaseResult run_upgrade(const Task& task) {
  World world;
  const Value& upgrade = task.info["upgrade"];
  Value local = Value::object({{"repository", "deployment"}, {"packageName", "test-package"}});
  for (const Value& revision : task.info["packageRevisions"].items()) {
    if (auto done = world.make(revision, ""); !done) return failed(task.name, done.error().text());
    if (revision["name"] == upgrade["localPackageRevisionRef"]) local = revision;
  }
  if (auto done = world.add_repository(std::string(local["repository"].as_string())); !done)
    return failed(task.name, done.error().text());
  const drafts::UpgradeSource source{std::string(upgrade["oldUpstreamRef"].as_string()),
                                     std::string(upgrade["newUpstreamRef"].as_string()),
                                     std::string(upgrade["localPackageRevisionRef"].as_string())};
  return check_error(task, world.fleet().drafts->draft(
                               world.request(local.with("workspaceName", "upgraded"), source)));
}

/// Creates a new package next to existing ones.
CaseResult run_create(const Task& task) {
  World world;
  for (const Value& revision : task.info["existing"].items())
    if (auto done = world.make(revision, ""); !done) return failed(task.name, done.error().text());
  const Value wanted = task.info["new"].with("workspaceName", "new");
  if (auto done = world.add_repository(std::string(wanted["repository"].as_string())); !done)
    return failed(task.name, done.error().text());
  drafts::Source source = drafts::InitSource{};
  if (wanted["task"].as_string() == "clone") {
    const Value upstream = Value::object({{"repository", "upstream"},
                                          {"packageName", "upstream"},
                                          {"workspaceName", "v1"},
                                          {"lifecycle", "Published"}});
    if (auto done = world.make(upstream, ""); !done) return failed(task.name, done.error().text());
    source = drafts::CloneSource{"upstream.upstream.v1"};
  }
  return check_error(task, world.fleet().drafts->draft(world.request(wanted, source)));
}

CaseResult run_overlap(const Task& task) {
  const std::string a = task.text("path1"), b = task.text("path2");
  const bool overlap = !repo::below(a, b).empty() || !repo::below(b, a).empty();
  return compare(task.name, shown(task.info["expected"]), shown(Value(overlap)));
}

CaseResult run_join(const Task& task) {
  const std::string relative = task.text("relative");
  const auto checked = repo::check_file_path(relative);
  if (!checked || !task.info["expectedError"].is_null()) return check_error(task, checked);
  return compare(task.name, task.text("expected"),
                 (fs::path(task.text("base")) / relative).lexically_normal().generic_string());
}

CaseResult run_case(const std::string& name, const fs::path& folder) {
  auto text = read_file(folder / "case.yaml");
  if (!text) return failed(name, text.error().text());
  auto info = krm::Object::parse(*text);
  if (!info) return failed(name, info.error().text());
  const Task task{name, folder, info->value()};
  const std::string op = task.text("op");
  if (op == "task.PatchKptfile") return run_patch_kptfile(task);
  if (op == "kptfile.SetMetadataAndGates") return run_set_metadata(task);
  if (op == "task.applyMapMetadata") return run_map_metadata(task);
  if (op == "task.init") return run_init(task);
  if (op == "task.packageContext") return run_context(task);
  if (op == "task.replaceResources") return run_replace(task);
  if (op == "task.render") return run_render(task);
  if (op == "task.edit") return run_edit(task);
  if (op == "task.upgrade" || op == "engine.validateUpgradeTask") return run_upgrade(task);
  if (op == "engine.CreatePackageRevision" || op == "repository.ValidatePackagePathOverlap")
    return run_create(task);
  if (op == "repository.PathsOverlap") return run_overlap(task);
  if (op == "engine.filepathSafeJoin") return run_join(task);
  return failed(name, "unknown op \"" + op + "\"");
}

}  // namespace

std::vector<CaseResult> run_porch_task(const fs::path& data) { return each_case(data, run_case); }

}  // namespace portico::conformance
