#include "resources/resources.h"

#include <algorithm>

#include "api/kinds.h"
#include "base/spelling.h"
#include "resources/state.h"

namespace portico::resources {
namespace {

using json::Value;

// A long message would push everything else out of sight; -o wide and describe have all of it.
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

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

constexpr Column kName{"Name", "string", "Name of the object, unique in its namespace", 0,
                       [](const Value& object) { return object["metadata"]["name"]; }};
constexpr Column kAge{"Age", "date", "Time since the object was created", 0,
                      [](const Value& object) { return object["metadata"]["creationTimestamp"]; }};
constexpr Column kUpstream{
    "Upstream", "string", "Repository and package that is followed", 0,
    [](const Value& object) { return package_of(object["spec"]["upstream"]); }};
constexpr Column kState{"State",
                        "string",
                        "Ready, or what keeps it from being so",
                        0,
                        [](const Value& object) { return Value(state_of(object)); },
                        kNarrow};

std::vector<Column> of_repository() {
  return {kName,
          {"Type", "string", "git", 0,
           [](const Value& object) { return or_else(object["spec"]["type"], "git"); }},
          {"Deployment", "boolean", "Whether its packages are deployed", 0,
           [](const Value& object) { return Value(object["spec"]["deployment"].as_bool()); }},
          {"Ready", "string", "Whether the repository could be read", 0,
           [](const Value& object) { return Value(condition_status(object, "Ready")); }},
          {"Packages", "integer", "Number of packages found", 0,
           [](const Value& object) { return count(object["status"]["packageCount"]); }},
          {"Address", "string", "URL or path of the git repository", 0,
           [](const Value& object) { return object["spec"]["git"]["repo"]; }},
          {"Branch", "string", "Branch that is registered", 1,
           [](const Value& object) { return or_else(object["spec"]["git"]["branch"], "main"); }},
          {"Directory", "string", "Folder that packages are looked for in", 1,
           [](const Value& object) { return object["spec"]["git"]["directory"]; }},
          kAge};
}

std::vector<Column> of_variant() {
  return {kName, kUpstream,
          Column{"Downstream", "string", "Repository and package that is kept up to date", 0,
                 [](const Value& object) { return package_of(object["spec"]["downstream"]); }},
          kState, kAge};
}

std::vector<Column> of_variant_set() {
  return {kName,
          kUpstream,
          {"Targets", "integer", "Number of variants that are wanted", 0,
           [](const Value& object) { return count(object["status"]["targets"]["desired"]); }},
          {"Ready", "integer", "Of them, those that are ready", 0,
           [](const Value& object) { return count(object["status"]["targets"]["ready"]); }},
          {"Waiting", "integer", "Of them, those on their way or under review", 0,
           [](const Value& object) { return count(object["status"]["targets"]["waiting"]); }},
          {"Failed", "integer", "Of them, those that failed", 0,
           [](const Value& object) { return count(object["status"]["targets"]["failed"]); }},
          kState,
          kAge};
}

std::vector<Column> of_function_config() {
  return {kName,
          {"Image", "string", "Function it is for", 0,
           [](const Value& object) { return object["spec"]["image"]; }},
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
       .columns = of_repository()},
      {.kind = api::variant_kind(),
       .versions = {"v1alpha1"},
       .plural = "packagevariants",
       .singular = "packagevariant",
       .short_names = {"pv"},
       .columns = of_variant()},
      {.kind = api::variant_set_kind(),
       .versions = {"v1alpha2", "v1alpha1"},
       .plural = "packagevariantsets",
       .singular = "packagevariantset",
       .short_names = {"pvs"},
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
       .columns = of_revision()},
      // As Porch names them.
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

const std::vector<Column>& columns_of(const krm::GroupKind& kind) {
  static const std::vector<Column> kAny{kName, kAge};
  const Resource* resource = find(kind);
  return resource != nullptr ? resource->columns : kAny;
}

std::string plural(const krm::GroupKind& kind) {
  if (const Resource* resource = find(kind)) return resource->plural;
  std::string out = lower(kind.kind);
  const auto ends_in_vowel_and_y = [&] {
    return out.size() > 1 &&
           std::string_view("aeiou").find(out[out.size() - 2]) != std::string::npos;
  };
  if (out.ends_with("y") && !ends_in_vowel_and_y()) return out.substr(0, out.size() - 1) + "ies";
  if (out.ends_with("s") || out.ends_with("x") || out.ends_with("ch")) return out + "es";
  return out + "s";
}

Result<krm::GroupKind> find_kind(std::string_view written,
                                 const std::vector<krm::GroupKind>& present) {
  const std::string asked = lower(written);
  const auto matches = [&](const krm::GroupKind& kind) {
    for (const std::string& name : {lower(kind.kind), plural(kind)})
      if (asked == name || (!kind.group.empty() && asked == name + "." + kind.group)) return true;
    return false;
  };
  // kubectl's RESOURCE.VERSION.GROUP: every version of a kind is the same objects.
  const auto has_version = [&](const Resource& each) {
    return std::any_of(each.versions.begin(), each.versions.end(), [&](std::string_view version) {
      return asked == fmt::format("{}.{}.{}", each.plural, version, each.kind.group);
    });
  };
  std::vector<std::string> known;
  for (const Resource& each : all()) {
    if (!each.stored) continue;
    const auto& names = each.short_names;
    if (matches(each.kind) || has_version(each) ||
        std::find(names.begin(), names.end(), asked) != names.end())
      return each.kind;
    known.push_back(each.plural);
  }
  for (const krm::GroupKind& kind : present) {
    if (matches(kind)) return kind;
    known.push_back(plural(kind));
  }
  std::sort(known.begin(), known.end());
  known.erase(std::unique(known.begin(), known.end()), known.end());
  std::vector<std::string_view> names(known.begin(), known.end());
  for (const Resource& each : all())
    if (each.stored) names.insert(names.end(), each.short_names.begin(), each.short_names.end());
  return invalid("there is no resource type \"{}\"{}; there are {}", written, hint(asked, names),
                 fmt::join(known, ", "));
}

std::string name_line(const Value& object) {
  const krm::GroupKind kind = krm::group_kind(object);
  return lower(kind.kind) + (kind.group.empty() ? "" : "." + kind.group) + "/" +
         std::string(krm::name_of(object));
}

}  // namespace portico::resources
