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
    "Upstream repository and package",
    0,
    [](const Value& object) { return package_of(object["spec"]["upstream"]); },
    0,
    ".spec.upstream.package",
    "Upstream Package"};
constexpr Column kState{"State",
                        "string",
                        "Ready, or the reason why it is not ready",
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
      with_path({"Type", "string", "Type of the repository", 0,
                 [](const Value& object) { return or_else(object["spec"]["type"], "git"); }},
                ".spec.type"),
      with_path({"Deployment", "boolean", "Whether the packages of the repository are deployed", 0,
                 [](const Value& object) { return Value(object["spec"]["deployment"].as_bool()); }},
                ".spec.deployment"),
      with_path({"Ready", "string", "Whether the repository can be read, or Suspended", 0,
                 ready_or_suspended},
                kReadyPath),
      with_path({"Packages", "integer", "Number of packages found", 0,
                 [](const Value& object) { return count(object["status"]["packageCount"]); }},
                ".status.packageCount"),
      with_path({"Address", "string", "URL or path of the git repository", 0,
                 [](const Value& object) { return object["spec"]["git"]["repo"]; }},
                ".spec['git','oci']['repo','registry']"),
      with_path(
          {"Branch", "string", "Registered branch", 1,
           [](const Value& object) { return or_else(object["spec"]["git"]["branch"], "main"); }},
          ".spec.git.branch"),
      with_path({"Directory", "string", "Folder that contains the packages", 1,
                 [](const Value& object) { return object["spec"]["git"]["directory"]; }},
                ".spec.git.directory"),
      with_path(
          {"Sync Schedule", "string", "Cron schedule on which the repository is polled for changes",
           1, [](const Value& object) { return object["spec"]["sync"]["schedule"]; }},
          ".spec.sync.schedule"),
      kAge};
}

std::vector<Column> of_variant() {
  return {kName, kUpstream,
          Column{"Downstream", "string", "Downstream repository and package", 0,
                 [](const Value& object) { return package_of(object["spec"]["downstream"]); }, 0,
                 ".spec.downstream.repo", "Downstream Repository"},
          kState, kAge};
}

std::vector<Column> of_variant_set() {
  return {
      kName,
      kUpstream,
      with_path({"Targets", "integer", "Number of desired variants", 0,
                 [](const Value& object) { return count(object["status"]["targets"]["desired"]); }},
                ".status.targets.desired"),
      with_path({"Ready", "integer", "Number of variants that are ready", 0,
                 [](const Value& object) { return count(object["status"]["targets"]["ready"]); }},
                ".status.targets.ready"),
      with_path({"Waiting", "integer", "Number of variants that are in progress or under review", 0,
                 [](const Value& object) { return count(object["status"]["targets"]["waiting"]); }},
                ".status.targets.waiting"),
      with_path({"Failed", "integer", "Number of variants that failed", 0,
                 [](const Value& object) { return count(object["status"]["targets"]["failed"]); }},
                ".status.targets.failed"),
      Column{"State", "string", "Ready, or the reason why it is not ready", 0, kState.cell, kNarrow,
             kReadyPath, "State"},
      kAge};
}

std::vector<Column> of_function_config() {
  return {kName,
          with_path({"Image", "string", "Image of the function", 0,
                     [](const Value& object) { return object["spec"]["image"]; }},
                    ".spec.image"),
          {"Executors", "string", "Executors that can run the function", 0,
           [](const Value& object) { return executors(object["spec"]); }},
          kAge};
}

std::vector<Column> of_event() {
  return {kName,
          {"Type", "string", "Normal or Warning", 0,
           [](const Value& object) { return object["type"]; }},
          {"Reason", "string", "Short, machine-readable reason for this event", 0,
           [](const Value& object) { return object["reason"]; }},
          {"Object", "string", "Object that this event is about", 0,
           [](const Value& object) {
             const Value& about = object["involvedObject"];
             return Value(lower(about["kind"].as_string()) + "/" +
                          std::string(about["name"].as_string()));
           }},
          {"Count", "integer", "Number of times this event has occurred", 0,
           [](const Value& object) { return count(object["count"]); }},
          Column{"Message", "string", "Human-readable description of this event", 0,
                 [](const Value& object) { return object["message"]; }, kNarrow},
          {"Age", "date", "Time since the most recent occurrence of this event", 0,
           [](const Value& object) { return object["lastTimestamp"]; }}};
}

std::vector<Column> of_revision() {
  return {
      kName,
      {"Package", "string", "Path of the package in its repository", 0,
       [](const Value& object) { return object["spec"]["packageName"]; }},
      {"WorkspaceName", "string", "Workspace name", 0,
       [](const Value& object) { return object["spec"]["workspaceName"]; }},
      {"Revision", "integer", "Revision number; 0 if not published, -1 for the head of a branch", 0,
       [](const Value& object) { return count(object["spec"]["revision"]); }},
      {"Latest", "boolean", "Whether it is the latest published revision", 0,
       [](const Value& object) {
         return Value(object["metadata"]["labels"].contains(api::kLatestRevisionLabel));
       }},
      {"Lifecycle", "string", "Draft, Proposed, Published or DeletionProposed", 0,
       [](const Value& object) { return object["spec"]["lifecycle"]; }},
      {"Repository", "string", "Repository that contains it", 0,
       [](const Value& object) { return object["spec"]["repository"]; }},
      {"Commit", "string", "Commit of the revision", 1,
       [](const Value& object) {
         return Value(object["status"]["selfLock"]["git"]["commit"].as_string().substr(0, 12));
       }},
      {"Base", "string",
       "For a draft or proposal: commit of the branch from which it was created; stale if the "
       "package on the branch has changed since",
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
constexpr Column kRepository{"Repository", "string", "Repository that contains it", 0,
                             [](const Value& object) { return object["spec"]["repository"]; }};
constexpr Column kWorkspace{"WorkspaceName", "string", "Workspace name", 0,
                            [](const Value& object) { return object["spec"]["workspaceName"]; }};

std::vector<Column> of_resources() {
  return {
      kName,
      kPackage,
      kWorkspace,
      {"Revision", "integer", "Revision number; 0 if not published, -1 for the head of a branch", 0,
       [](const Value& object) { return count(object["spec"]["revision"]); }},
      kRepository,
      {"Files", "integer", "Number of files", 0,
       [](const Value& object) {
         return Value(static_cast<std::int64_t>(object["spec"]["resources"].size()));
       }},
      kAge};
}

std::vector<Column> of_package() {
  return {kName,
          kPackage,
          kRepository,
          {"Latest Revision", "integer", "Number of the latest revision", 0,
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
