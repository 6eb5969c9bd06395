#include "cli/install.h"

#include <filesystem>
#include <vector>

#include "engine/version.h"
#include "kinds/definitions.h"
#include "krm/object.h"

namespace portico::cli {

namespace {

using json::Value;
namespace fs = std::filesystem;

constexpr std::string_view kNamespace = "portico-system";

// The manifests of a folder with a kustomization, and of those that it names.
Result<Done> collect(const std::map<std::string, std::string_view>& files,
                     const std::string& folder, std::vector<krm::Object>& out) {
  const auto list = files.find(folder + "/kustomization.yaml");
  if (list == files.end()) return internal("there is no kustomization in deploy/{}", folder);
  PORTICO_TRY(const krm::Object kustomization, krm::Object::parse(list->second), list->first);
  for (const json::Member& member : kustomization.value().members()) {
    const std::string_view key = member.key.as_string();
    if (key != "apiVersion" && key != "kind" && key != "resources")
      return internal("{}: `portico install` does not know \"{}\"", list->first, key);
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
  return Done{};
}

// The value with each string that is a key of `words` replaced.
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
    PORTICO_DO(object.update(with_words(object.value(), words)));
    out += "---\n" + krm::Object::join_file({object});
  }
  return out;
}

}  // namespace portico::cli
