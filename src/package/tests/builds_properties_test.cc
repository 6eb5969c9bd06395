// Properties of every merge of builds, for random packages.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "krm/equal.h"
#include "merge/merge_key.h"
#include "package/builds.h"

namespace portico::package {
namespace {

using Fields = std::map<std::string, int>;

/// A resource of the upstream. The first letter of its name determines its kind.
struct Resource {
  std::string file;
  Fields fields;
  std::map<std::string, Fields> containers;  // of a Deployment
  std::vector<int> list;                     // of a Site: a single value
  std::map<std::string, std::string> comments;
  bool operator==(const Resource&) const = default;
};

struct Version {
  std::map<std::string, Resource> resources;
  std::vector<std::string> functions;
};

bool chance(int percent) { return *rc::gen::inRange(0, 100) < percent; }
int number(int end) { return *rc::gen::inRange(0, end); }

constexpr std::array kNames = {"c0", "c1", "d0", "d1", "s0"};
constexpr std::array kFiles = {"a.yaml", "b.yaml", "sub/c.yaml"};

Fields arbitrary_fields() {
  Fields fields = {{"always", 1}};
  for (const char* name : {"a", "b", "c"})
    if (chance(70)) fields[name] = number(3);
  return fields;
}

Resource arbitrary_resource(const std::string& name) {
  Resource resource;
  resource.file = kFiles[static_cast<std::size_t>(number(kFiles.size()))];
  resource.fields = arbitrary_fields();
  for (const auto& [field, value] : resource.fields)
    if (chance(20)) resource.comments[field] = "upstream " + std::to_string(number(2));
  if (name[0] == 'd')
    for (const char* container : {"x", "y", "z"})
      if (chance(60)) resource.containers[container] = arbitrary_fields();
  if (name[0] == 's')
    for (int i = number(3); i > 0; --i) resource.list.push_back(number(3));
  return resource;
}

Version arbitrary_version() {
  Version version;
  for (const char* name : kNames)
    if (chance(80)) version.resources[name] = arbitrary_resource(name);
  for (const char* function : {"f", "g", "h"})
    if (chance(50)) version.functions.emplace_back(function);
  return version;
}

/// The next version of the upstream; much of it stays the same.
Version changed(const Version& before) {
  Version version = before;
  for (const char* name : kNames) {
    if (chance(50)) continue;
    const auto resource = version.resources.find(name);
    if (resource == version.resources.end()) {
      version.resources[name] = arbitrary_resource(name);
    } else if (chance(15)) {
      version.resources.erase(resource);
    } else {
      Resource next = arbitrary_resource(name);
      if (chance(80)) next.file = resource->second.file;
      if (chance(40)) next.containers = resource->second.containers;
      if (chance(60)) next.fields = resource->second.fields;
      std::erase_if(next.comments,
                    [&](const auto& one) { return !next.fields.contains(one.first); });
      resource->second = next;
    }
  }
  if (chance(30)) version.functions = arbitrary_version().functions;
  return version;
}

std::string text_of(const Fields& fields, const std::string& indent,
                    const std::map<std::string, std::string>& comments) {
  std::string text;
  for (const auto& [field, value] : fields) {
    text += indent + field + ": \"" + std::to_string(value) + "\"";
    if (const auto comment = comments.find(field); comment != comments.end())
      text += "  # " + comment->second;
    text += "\n";
  }
  return text;
}

std::string text_of(const std::string& name, const Resource& resource) {
  const bool is_map = name[0] == 'c', is_site = name[0] == 's';
  std::string text = is_map    ? "apiVersion: v1\nkind: ConfigMap\n"
                     : is_site ? "apiVersion: example.com/v1\nkind: Site\n"
                               : "apiVersion: apps/v1\nkind: Deployment\n";
  text += "metadata:\n  name: " + name + "\n";
  text += is_map ? "data:\n" : "spec:\n";
  text += text_of(resource.fields, "  ", resource.comments);
  if (is_site) {
    text += "  list: [";
    for (std::size_t i = 0; i < resource.list.size(); ++i)
      text += (i == 0 ? "" : ", ") + std::to_string(resource.list[i]);
    text += "]\n";
  }
  if (!resource.containers.empty()) text += "  template:\n    spec:\n      containers:\n";
  for (const auto& [container, fields] : resource.containers)
    text += "      - name: " + container + "\n" + text_of(fields, "        ", {});
  return text;
}

/// The pristine build: like a clone, with every resource marked.
krm::Package build(const Version& version, int number) {
  krm::Package package;
  std::string kptfile = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: mine\n";
  const std::string ref = "v" + std::to_string(number);
  kptfile += "upstream:\n  type: git\n  git: {repo: r, directory: d, ref: " + ref + "}\n";
  if (!version.functions.empty()) kptfile += "pipeline:\n  mutators:\n";
  for (const std::string& function : version.functions) kptfile += "  - image: " + function + "\n";
  package.set("Kptfile", kptfile);
  std::map<std::string, std::string> files;
  for (const auto& [name, resource] : version.resources) {
    std::string& text = files[resource.file];
    if (!text.empty()) text += "---\n";
    text += text_of(name, resource);
  }
  for (const auto& [path, text] : files) package.set(path, text);
  return *merge::with_merge_keys(package);
}

enum class Verb {
  kLabel,
  kChange,
  kRemoveField,
  kAddField,
  kComment,
  kAddContainer,
  kMove,
  kRename,
  kRemoveResource,
  kAddResource,
  kAddFunction,
};

/// An edit by a user. Its values never occur in the upstream.
struct Edit {
  Verb verb;
  std::string resource, field;
};

krm::Path field_path(const std::string& resource, const std::string& field) {
  return {resource[0] == 'c' ? "data" : "spec", field};
}

void edit_object(krm::Object& object, const Edit& edit) {
  const krm::Path path = field_path(edit.resource, edit.field);
  switch (edit.verb) {
    case Verb::kLabel:
      RC_ASSERT(object.set({"metadata", "labels", "mine"}, "yes"));
      break;
    case Verb::kChange:
    case Verb::kAddField:
      RC_ASSERT(object.set(path, "mine"));
      break;
    case Verb::kRemoveField:
      RC_ASSERT(object.remove(path));
      break;
    case Verb::kComment:
      RC_ASSERT(object.set_line_comment({"metadata", "name"}, "# mine"));
      break;
    case Verb::kAddContainer: {
      const std::size_t size = object.value()["spec"]["template"]["spec"]["containers"].size();
      RC_ASSERT(object.set({"spec", "template", "spec", "containers", size},
                           json::Value::object({{"name", "mine"}, {"image", "mine"}})));
      break;
    }
    case Verb::kRename:
      RC_ASSERT(object.set({"metadata", "name"}, "mine-" + edit.resource));
      break;
    default:
      break;
  }
}

krm::Package edited(krm::Package package, const Edit& edit) {
  if (edit.verb == Verb::kAddResource) {
    package.set("mine.yaml", "apiVersion: v1\nkind: Secret\nmetadata:\n  name: mine\n");
    return package;
  }
  if (edit.verb == Verb::kAddFunction) {
    krm::Object kptfile = *package.find("Kptfile")->object();
    const std::size_t size = kptfile.value()["pipeline"]["mutators"].size();
    RC_ASSERT(
        kptfile.set({"pipeline", "mutators", size}, json::Value::object({{"image", "mine"}})));
    package.set("Kptfile", std::string(kptfile.text()));
    return package;
  }
  const krm::Package before = package;
  for (const auto& [path, file] : before.files) {
    if (path == "Kptfile") continue;
    std::vector<krm::Object> objects = *file.objects();
    const auto found = std::find_if(objects.begin(), objects.end(), [&](const krm::Object& one) {
      return merge::upstream_identity(one).name == edit.resource;
    });
    if (found == objects.end()) continue;
    edit_object(*found, edit);
    if (edit.verb == Verb::kMove || edit.verb == Verb::kRemoveResource) {
      if (edit.verb == Verb::kMove)
        package.set("moved-" + edit.resource + ".yaml", std::string(found->text()));
      objects.erase(found);
    }
    if (objects.empty()) {
      package.files.erase(path);
    } else {
      package.set(path, krm::Object::join_file(objects));
    }
    return package;
  }
  return package;
}

krm::Package edited(krm::Package package, const std::vector<Edit>& edits) {
  for (const Edit& edit : edits) package = edited(std::move(package), edit);
  return package;
}

/// Edits of parts that are equal in all versions, so that no upgrade conflicts with them.
std::vector<Edit> arbitrary_edits(const std::vector<Version>& versions) {
  std::vector<Edit> edits;
  for (const auto& [name, resource] : versions.front().resources) {
    bool stays = true, same = true, same_file = true, has_containers = name[0] == 'd';
    std::set<std::string> stable;
    for (const auto& [field, value] : resource.fields) stable.insert(field);
    for (const Version& version : versions) {
      const auto found = version.resources.find(name);
      stays = stays && found != version.resources.end();
      if (!stays) break;
      const Resource& other = found->second;
      same = same && other == resource;
      same_file = same_file && other.file == resource.file;
      has_containers = has_containers && !other.containers.empty();
      const Resource& first = resource;
      std::erase_if(stable, [&](const std::string& field) {
        const auto value = other.fields.find(field);
        return value == other.fields.end() || value->second != first.fields.at(field);
      });
    }
    if (!stays || chance(30)) continue;
    if (same && chance(15)) {
      edits.push_back({Verb::kRemoveResource, name, ""});
      continue;
    }
    if (chance(30)) edits.push_back({Verb::kLabel, name, ""});
    if (chance(30)) edits.push_back({Verb::kComment, name, ""});
    if (chance(30)) edits.push_back({Verb::kAddField, name, "mine"});
    if (chance(20)) edits.push_back({Verb::kRename, name, ""});
    if (has_containers && chance(40)) edits.push_back({Verb::kAddContainer, name, ""});
    if (same_file && chance(20)) edits.push_back({Verb::kMove, name, ""});
    for (const std::string& field : stable)
      if (chance(30))
        edits.push_back({chance(60) ? Verb::kChange : Verb::kRemoveField, name, field});
  }
  if (chance(30)) edits.push_back({Verb::kAddResource, "", ""});
  if (chance(30)) edits.push_back({Verb::kAddFunction, "", ""});
  return edits;
}

struct History {
  std::vector<Version> versions;
  std::vector<krm::Package> builds;
};

History arbitrary_history() {
  History history;
  history.versions.push_back(arbitrary_version());
  const int steps = 1 + number(3);
  for (int i = 0; i < steps; ++i) history.versions.push_back(changed(history.versions.back()));
  for (std::size_t i = 0; i < history.versions.size(); ++i)
    history.builds.push_back(build(history.versions[i], static_cast<int>(i)));
  return history;
}

std::string shown(const krm::Package& package) {
  std::string text;
  for (const auto& [path, file] : package.files) text += "== " + path + "\n" + file.text();
  return text;
}

/// Every object with its location, containers and functions by name, because their order does not
/// matter.
std::map<std::pair<std::string, std::string>, json::Value> content(const krm::Package& package) {
  std::map<std::pair<std::string, std::string>, json::Value> objects;
  const auto sorted = [](const json::Value& list, const char* key) {
    std::vector<json::Value> items(list.items().begin(), list.items().end());
    std::sort(items.begin(), items.end(), [key](const json::Value& a, const json::Value& b) {
      return a[key].as_string() < b[key].as_string();
    });
    return json::Value::array(std::move(items));
  };
  for (const auto& [path, file] : package.files) {
    const auto documents = file.objects();
    RC_ASSERT(bool(documents));
    for (const krm::Object& object : *documents) {
      json::Value value = object.value();
      const json::Value& containers = value["spec"]["template"]["spec"]["containers"];
      if (!containers.is_null())
        value =
            value.with_at({"spec", "template", "spec", "containers"}, sorted(containers, "name"));
      const json::Value& functions = value["pipeline"]["mutators"];
      if (!functions.is_null())
        value = value.with_at({"pipeline", "mutators"}, sorted(functions, "image"));
      objects.emplace(
          std::pair(path, std::string(object.kind()) + " " + std::string(object.name())), value);
    }
  }
  return objects;
}

std::string shown(const std::vector<merge::Conflict>& conflicts) {
  std::string text;
  for (const merge::Conflict& conflict : conflicts) text += merge::conflict_text(conflict) + "\n";
  return text;
}

krm::Package merged(const krm::Package& base, const krm::Package& theirs,
                    const krm::Package& ours) {
  auto result = merge_builds({base, theirs, ours, {}, {}});
  if (!result) RC_FAIL(result.error().text());
  if (!result->conflicts.empty()) RC_FAIL(shown(result->conflicts));
  return std::move(result->package);
}

void expect_same_content(const krm::Package& have, const krm::Package& want) {
  if (content(have) == content(want)) return;
  RC_FAIL("have\n" + shown(have) + "\nwant\n" + shown(want));
}

RC_GTEST_PROP(MergeOfBuilds, WithoutEditsIsTheNewBuild, ()) {
  const krm::Package base = build(arbitrary_version(), 1), theirs = build(arbitrary_version(), 2);
  for (const merge::Strategy strategy :
       {merge::Strategy::kResourceMerge, merge::Strategy::kFastForward,
        merge::Strategy::kForceDeleteReplace, merge::Strategy::kCopyMerge}) {
    const auto result = merge_builds({base, theirs, base, strategy, {}});
    RC_ASSERT(bool(result));
    RC_ASSERT(result->conflicts.empty());
    RC_ASSERT(shown(result->package) == shown(theirs));
  }
  RC_ASSERT(local_edits(base, base).empty());
}

RC_GTEST_PROP(MergeOfBuilds, KeepsEditsInAnyOrderOfVersions, ()) {
  const History history = arbitrary_history();
  const std::vector<Edit> edits = arbitrary_edits(history.versions);
  std::size_t at = 0;
  krm::Package ours = edited(history.builds[at], edits);
  for (int step = 0; step < 4; ++step) {
    const auto next = static_cast<std::size_t>(number(static_cast<int>(history.builds.size())));
    ours = merged(history.builds[at], history.builds[next], ours);
    at = next;
    const krm::Package want = edited(history.builds[at], edits);
    expect_same_content(ours, want);
    for (const Edit& edit : edits) {
      if (edit.verb == Verb::kComment) {
        const std::string text = shown(ours);
        RC_ASSERT(text.find("# mine") != std::string::npos);
      }
    }
  }
}

RC_GTEST_PROP(MergeOfBuilds, OneStepOrTwoAreTheSame, ()) {
  const History history = arbitrary_history();
  const std::vector<Edit> edits = arbitrary_edits(history.versions);
  const auto& builds = history.builds;
  krm::Package ours = edited(builds.front(), edits), stepwise = ours;
  for (std::size_t i = 1; i < builds.size(); ++i)
    stepwise = merged(builds[i - 1], builds[i], stepwise);
  expect_same_content(merged(builds.front(), builds.back(), ours), stepwise);
}

RC_GTEST_PROP(MergeOfBuilds, DoneAgainDoesNothing, ()) {
  const Version first = arbitrary_version(), second = changed(first), third = changed(first);
  const krm::Package base = build(first, 1), theirs = build(second, 2);
  // Edits that may conflict with the upstream.
  const krm::Package ours = edited(build(third, 1), arbitrary_edits({third}));
  const auto once = merge_builds({base, theirs, ours, {}, {}});
  if (!once) RC_DISCARD("refused");
  const auto again = merge_builds({theirs, theirs, once->package, {}, {}});
  RC_ASSERT(bool(again));
  RC_ASSERT(shown(again->package) == shown(once->package));
  RC_ASSERT(again->conflicts.empty());
}

}  // namespace
}  // namespace portico::package
