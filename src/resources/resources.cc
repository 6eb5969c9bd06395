#include "resources/resources.h"

#include <algorithm>

#include "api/kinds.h"
#include "resources/internal/lower.h"
#include "resources/state.h"

namespace portico::resources {
namespace {

using internal::lower;
using json::Value;

// A long message would push other columns out of view; -o wide and describe show all of it.
constexpr std::size_t kNarrow = 64;

Value package_of(const Value& side) {
  return fmt::format("{}/{}", side["repo"].as_string(), side["package"].as_string());
}

Value count(const Value& number) { return number.as_int(); }

Value or_else(const Value& value, const char* otherwise) {
  return value.is_null() ? Value(otherwise) : value;
}

Value executors(const Value& spec) {
  std::string out;
  for (const char* one : {"goExecutor", "binaryExecutor", "grpcExecutor", "podExecutor"})
    if (!spec[one].is_null()) out += (out.empty() ? "" : ",") + std::string(one);
  return out;
}

constexpr Column kName{"Name", "string", "Name of the object, unique in its namespace", 0,
                       [](const Value& object) { return object["metadata"]["name"]; }};
constexpr std::string_view kReadyPath = ".status.conditions[?(@.type=='Ready')].status";
constexpr Column kAge{"Age",
                      "date",
                      "Time since the object was created",
                      0,
                      [](const Value& object) { return object["metadata"]["creationTimestamp"]; },
                      0,
                      ".metadata.creationTimestamp"};
constexpr Column kUpstream{
    "Upstream",
    "string",
    "Repository and package that is followed",
    0,
    [](const Value& object) { return package_of(object["spec"]["upstream"]); },
    0,
    ".spec.upstream.package",
    "Upstream Package"};
constexpr Column kState{"State",
                        "string",
                        "Ready, or what keeps it from being so",
                        0,
                        [](const Value& object) { return Value(state_of(object)); },
                        kNarrow,
                        kReadyPath,
                        "Ready"};

// A column that a path can express as well.
Column with_path(Column column, std::string_view path) {
  column.path = path;
  return column;
}

Value ready_or_suspended(const Value& object) {
  const std::string state = state_of(object);
  return state == "Suspended" ? Value(state) : Value(condition_status(object, api::kReady));
}

std::vector<Column> of_repository() {
  return {
      kName,
      with_path({"Type", "string", "git", 0,
                 [](const Value& object) { return or_else(object["spec"]["type"], "git"); }},
                ".spec.type"),
      with_path({"Deployment", "boolean", "Whether its packages are deployed", 0,
                 [](const Value& object) { return Value(object["spec"]["deployment"].as_bool()); }},
                ".spec.deployment"),
      with_path({"Ready", "string", "Whether the repository could be read; or Suspended", 0,
                 ready_or_suspended},
                kReadyPath),
      with_path({"Packages", "integer", "Number of packages found", 0,
                 [](const Value& object) { return count(object["status"]["packageCount"]); }},
                ".status.packageCount"),
      with_path({"Address", "string", "URL or path of the git repository", 0,
                 [](const Value& object) { return object["spec"]["git"]["repo"]; }},
                ".spec['git','oci']['repo','registry']"),
      with_path(
          {"Branch", "string", "Branch that is registered", 1,
           [](const Value& object) { return or_else(object["spec"]["git"]["branch"], "main"); }},
          ".spec.git.branch"),
      with_path({"Directory", "string", "Folder that packages are looked for in", 1,
                 [](const Value& object) { return object["spec"]["git"]["directory"]; }},
                ".spec.git.directory"),
      with_path({"Sync Schedule", "string", "When changes made by others are looked for", 1,
                 [](const Value& object) { return object["spec"]["sync"]["schedule"]; }},
                ".spec.sync.schedule"),
      kAge};
}

std::vector<Column> of_variant() {
  return {kName, kUpstream,
          Column{"Downstream", "string", "Repository and package that is kept up to date", 0,
                 [](const Value& object) { return package_of(object["spec"]["downstream"]); }, 0,
                 ".spec.downstream.repo", "Downstream Repository"},
          kState, kAge};
}

std::vector<Column> of_variant_set() {
  return {
      kName,
      kUpstream,
      with_path({"Targets", "integer", "Number of variants that are wanted", 0,
                 [](const Value& object) { return count(object["status"]["targets"]["desired"]); }},
                ".status.targets.desired"),
      with_path({"Ready", "integer", "Of them, those that are ready", 0,
                 [](const Value& object) { return count(object["status"]["targets"]["ready"]); }},
                ".status.targets.ready"),
      with_path({"Waiting", "integer", "Of them, those on their way or under review", 0,
                 [](const Value& object) { return count(object["status"]["targets"]["waiting"]); }},
                ".status.targets.waiting"),
      with_path({"Failed", "integer", "Of them, those that failed", 0,
                 [](const Value& object) { return count(object["status"]["targets"]["failed"]); }},
                ".status.targets.failed"),
      Column{"State", "string", "Ready, or what keeps it from being so", 0, kState.cell, kNarrow,
             kReadyPath, "State"},
      kAge};
}

std::vector<Column> of_function_config() {
  return {kName,
          with_path({"Image", "string", "Function it is for", 0,
                     [](const Value& object) { return object["spec"]["image"]; }},
                    ".spec.image"),
          {"Executors", "string", "What may run it", 0,
           [](const Value& object) { return executors(object["spec"]); }},
          kAge};
}

std::vector<Column> of_event() {
  return {kName,
          {"Type", "string", "Normal or Warning", 0,
           [](const Value& object) { return object["type"]; }},
          {"Reason", "string", "What was done, or what is wrong", 0,
           [](const Value& object) { return object["reason"]; }},
          {"Object", "string", "What it is about", 0,
           [](const Value& object) {
             const Value& about = object["involvedObject"];
             return Value(lower(about["kind"].as_string()) + "/" +
                          std::string(about["name"].as_string()));
           }},
          {"Count", "integer", "How often it happened", 0,
           [](const Value& object) { return count(object["count"]); }},
          Column{"Message", "string", "What happened, in words", 0,
                 [](const Value& object) { return object["message"]; }, kNarrow},
          {"Age", "date", "Time since it happened last", 0,
           [](const Value& object) { return object["lastTimestamp"]; }}};
}

std::vector<Column> of_revision() {
  return {kName,
          {"Package", "string", "Path of the package in its repository", 0,
           [](const Value& object) { return object["spec"]["packageName"]; }},
          {"WorkspaceName", "string", "Name of the draft it comes from", 0,
           [](const Value& object) { return object["spec"]["workspaceName"]; }},
          {"Revision", "integer", "Number; 0: not published, -1: head of a branch", 0,
           [](const Value& object) { return count(object["spec"]["revision"]); }},
          {"Latest", "boolean", "Whether it is the newest published revision", 0,
           [](const Value& object) {
             return Value(object["metadata"]["labels"].contains(api::kLatestRevisionLabel));
           }},
          {"Lifecycle", "string", "Draft, Proposed, Published or DeletionProposed", 0,
           [](const Value& object) { return object["spec"]["lifecycle"]; }},
          {"Repository", "string", "Repository it lies in", 0,
           [](const Value& object) { return object["spec"]["repository"]; }},
          {"Commit", "string", "Commit it lies at", 1,
           [](const Value& object) {
             return Value(object["status"]["selfLock"]["git"]["commit"].as_string().substr(0, 12));
           }},
          {"Base", "string",
           "Of a draft or proposal: the commit of the branch that it is based on; stale where the "
           "branch has another content of the package by now",
           1,
           [](const Value& object) {
             const Value& base = object["status"]["base"];
             std::string text(base["commit"].as_string().substr(0, 12));
             if (base["stale"].as_bool()) text += " (stale)";
             return Value(text);
           }},
          kAge};
}

constexpr Column kPackage{"Package", "string", "Path of the package in its repository", 0,
                          [](const Value& object) { return object["spec"]["packageName"]; }};
constexpr Column kRepository{"Repository", "string", "Repository it lies in", 0,
                             [](const Value& object) { return object["spec"]["repository"]; }};
constexpr Column kWorkspace{"WorkspaceName", "string", "Name of the draft it comes from", 0,
                            [](const Value& object) { return object["spec"]["workspaceName"]; }};

std::vector<Column> of_resources() {
  return {kName,
          kPackage,
          kWorkspace,
          {"Revision", "integer", "Number; 0: not published, -1: head of a branch", 0,
           [](const Value& object) { return count(object["spec"]["revision"]); }},
          kRepository,
          {"Files", "integer", "How many files it has", 0,
           [](const Value& object) {
             return Value(static_cast<std::int64_t>(object["spec"]["resources"].size()));
           }},
          kAge};
}

std::vector<Column> of_package() {
  return {kName,
          kPackage,
          kRepository,
          {"Latest Revision", "integer", "Number of its latest revision", 0,
           [](const Value& object) { return count(object["status"]["latestRevision"]); }},
          kAge};
}

}  // namespace

const std::vector<Resource>& all() {
  static const std::vector<Resource> kAll{
      {.kind = api::repository_kind(),
       .versions = {"v1alpha1"},
       .plural = "repositories",
       .singular = "repository",
       .short_names = {"repo", "repos"},
       .in_all = true,
       .columns = of_repository()},
      {.kind = api::variant_kind(),
       .versions = {"v1alpha1"},
       .plural = "packagevariants",
       .singular = "packagevariant",
       .short_names = {"pv"},
       .in_all = true,
       .columns = of_variant()},
      {.kind = api::variant_set_kind(),
       .versions = {"v1alpha2", "v1alpha1"},
       .plural = "packagevariantsets",
       .singular = "packagevariantset",
       .short_names = {"pvs"},
       .in_all = true,
       .columns = of_variant_set()},
      {.kind = api::function_config_kind(),
       .versions = {"v1alpha1"},
       .plural = "functionconfigs",
       .singular = "functionconfig",
       .short_names = {"fnconfig"},
       .columns = of_function_config()},
      {.kind = api::revision_kind(),
       .versions = {"v1alpha1"},
       .plural = "packagerevisions",
       .singular = "packagerevision",
       .short_names = {"rpkg", "rpkgs", "pkgrev", "pr"},
       .in_all = true,
       .columns = of_revision()},
      // Porch uses the same singular and plural name.
      {.kind = api::package_resources_kind(),
       .versions = {"v1alpha1"},
       .plural = "packagerevisionresources",
       .singular = "packagerevisionresources",
       .short_names = {},
       .stored = false,
       .columns = of_resources()},
      {.kind = api::package_kind(),
       .versions = {"v1alpha1"},
       .plural = "packages",
       .singular = "package",
       .short_names = {},
       .stored = false,
       .columns = of_package()},
      {.kind = {"", "Event"},
       .versions = {"v1"},
       .plural = "events",
       .singular = "event",
       .short_names = {"ev"},
       .columns = of_event()},
  };
  return kAll;
}

const Resource* find(const krm::GroupKind& kind) {
  const auto at = std::find_if(all().begin(), all().end(),
                               [&](const Resource& one) { return one.kind == kind; });
  return at == all().end() ? nullptr : &*at;
}

Value printer_columns(const krm::GroupKind& kind) {
  std::vector<Value> out;
  const Resource* resource = find(kind);
  if (resource == nullptr) return {};
  for (const Column& column : resource->columns) {
    if (column.path.empty()) continue;
    const bool whole = column.path_name.empty();  // the path expresses the same as `cell`
    Value one = Value::object({{"name", whole ? column.name : column.path_name},
                               {"type", whole ? column.type : "string"},
                               {"jsonPath", column.path}});
    if (whole) one = one.with("description", column.description);
    if (column.priority != 0) one = one.with("priority", column.priority);
    out.push_back(std::move(one));
  }
  return Value::array(std::move(out));
}

const std::vector<Column>& columns_of(const krm::GroupKind& kind) {
  static const std::vector<Column> kAny{kName, kAge};
  const Resource* resource = find(kind);
  return resource != nullptr ? resource->columns : kAny;
}

}  // namespace portico::resources
