#include "cli/install.h"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "engine/version.h"
#include "kinds/definitions.h"
#include "krm/meta.h"
#include "krm/object.h"
#include "patch/patch.h"

namespace portico::cli {

namespace {

using json::Value;
namespace fs = std::filesystem;

constexpr std::string_view kNamespace = "portico-system";

// The lists of a Deployment that patches extend.
constexpr patch::MergedList kLists[] = {{"spec.template.spec.containers", "name"}};

// Applies a file of patches, each to the manifest with its kind and name.
Result<Done> apply_patches(std::string_view text, std::vector<krm::Object>& manifests) {
  PORTICO_TRY(const auto patches, krm::Object::parse_file(text));
  for (const krm::Object& each : patches) {
    const Value& change = each.value();
    const krm::ObjectKey key = krm::object_key(change);
    const auto at = std::find_if(
        manifests.begin(), manifests.end(),
        [&](const krm::Object& manifest) { return krm::object_key(manifest.value()) == key; });
    if (at == manifests.end()) return internal("no {} to patch", key.text());
    PORTICO_TRY(const Value patched, patch::apply_strategic_patch(at->value(), change, kLists));
    PORTICO_DO(at->update(patched));
  }
  return Done{};
}

// The manifests of a folder with a kustomization, and of the folders that it references.
Result<Done> collect(const std::map<std::string, std::string_view>& files,
                     const std::string& folder, std::vector<krm::Object>& out) {
  const auto list = files.find(folder + "/kustomization.yaml");
  if (list == files.end()) return internal("no kustomization in deploy/{}", folder);
  PORTICO_TRY(const krm::Object kustomization, krm::Object::parse(list->second), list->first);
  for (const json::Member& member : kustomization.value().members()) {
    const std::string_view key = member.key.as_string();
    if (key != "apiVersion" && key != "kind" && key != "resources" && key != "patches")
      return internal("{}: `portico install` does not support \"{}\"", list->first, key);
  }
  for (const Value& resource : kustomization.value()["resources"].items()) {
    const std::string path =
        (fs::path(folder) / resource.as_string()).lexically_normal().generic_string();
    if (path == "crds") {
      for (const Value& definition : kinds::definitions())
        out.push_back(krm::Object::from_value(definition));
    } else if (const auto file = files.find(path); file != files.end()) {
      PORTICO_TRY(auto objects, krm::Object::parse_file(file->second), path);
      for (krm::Object& object : objects) out.push_back(std::move(object));
    } else {
      PORTICO_DO(collect(files, path, out));
    }
  }
  for (const Value& each : kustomization.value()["patches"].items()) {
    const auto file = files.find(folder + "/" + std::string(each["path"].as_string()));
    if (file == files.end() || each.members().size() != 1)
      return internal("{}: `portico install` supports only patches by path", list->first);
    PORTICO_DO(apply_patches(file->second, out), file->first);
  }
  return Done{};
}

// Sets the number of replicas, of which all but one stay up in a drain.
Value with_replicas(const Value& manifest, int replicas) {
  const std::string_view kind = manifest["kind"].as_string();
  if (kind == "Deployment") return manifest.with_at({"spec", "replicas"}, replicas);
  if (kind == "PodDisruptionBudget")
    return manifest.with_at({"spec", "minAvailable"}, replicas - 1);
  return manifest;
}

// Replaces each string in the value that is a key of `words`.
Value with_words(const Value& value, const std::map<std::string, std::string>& words) {
  if (value.is_string()) {
    const auto found = words.find(std::string(value.as_string()));
    return found == words.end() ? value : Value(found->second);
  }
  Value out = value;
  for (const json::Member& member : value.members())
    out = out.with(member.key.as_string(), with_words(member.value, words));
  if (value.is_array())
    for (std::size_t i = 0; i < value.size(); ++i)
      out = out.with_item(i, with_words(value[i], words));
  return out;
}

}  // namespace

Result<std::string> install_text(const InstallPlace& place) {
  std::vector<krm::Object> objects;
  PORTICO_DO(collect(manifest_files(), "kubernetes/" + place.mode, objects));
  const std::map<std::string, std::string> words{
      {std::string(kNamespace), place.ns},
      {"portico:" + std::string(engine::version()), place.image}};
  std::string out;
  for (krm::Object& object : objects) {
    Value wanted = with_words(object.value(), words);
    if (place.replicas > 0) wanted = with_replicas(wanted, place.replicas);
    PORTICO_DO(object.update(wanted));
    out += "---\n" + krm::Object::join_file({object});
  }
  return out;
}

}  // namespace portico::cli
