#include "package/context.h"

#include <fmt/format.h>

#include <map>
#include <utility>
#include <vector>

#include "krm/object.h"
#include "package/internal/files.h"
#include "package/kptfile.h"

namespace portico::package {

namespace {

bool is_context(const krm::Object& object) {
  return object.is_krm() && object.api_version() == "v1" && object.kind() == "ConfigMap" &&
         object.name() == kContextName;
}

struct Place {
  std::string file;
  std::vector<krm::Object> objects;
  std::size_t index = 0;
};

/// The context at the root. The usual file is searched first, so it wins if there are two such
/// ConfigMaps.
Result<Place> find_context(const krm::Package& package) {
  std::vector<std::string> files;
  if (package.find(kContextFile) != nullptr) files.emplace_back(kContextFile);
  for (const auto& [path, file] : package.files)
    if (internal::is_resource_file(path) && path.find('/') == std::string::npos &&
        path != kContextFile)
      files.push_back(path);
  for (std::string& path : files) {
    PORTICO_TRY(std::vector<krm::Object> objects, package.find(path)->objects(), path);
    for (std::size_t i = 0; i < objects.size(); ++i)
      if (is_context(objects[i])) return Place{std::move(path), std::move(objects), i};
  }
  return invalid("\"{}\" not found: packageContext requires a ConfigMap \"{}\" at the package root",
                 kContextFile, kContextName);
}

}  // namespace

Result<krm::Package> set_context(krm::Package package, const api::PackageContext& context) {
  if (context.empty()) return package;
  PORTICO_TRY(Place place, find_context(package));
  krm::Object& object = place.objects[place.index];
  const json::Value data = object.value()["data"];
  if (!data.is_null() && !data.is_object())
    return invalid("must be a map of strings").in("data").in(place.file);
  for (const auto& [key, value] : context.data)
    if (data[key] != json::Value(value))
      PORTICO_DO(object.set({"data", key}, json::Value(value)), place.file);
  for (const std::string& key : context.remove_keys)
    PORTICO_DO(object.remove({"data", key}), place.file);
  package.set(place.file, krm::Object::join_file(place.objects));
  return package;
}

std::string context_text(std::string_view name, std::string_view path) {
  krm::Object object = *krm::Object::parse(
      "apiVersion: v1\n"
      "kind: ConfigMap\n"
      "metadata:\n"
      "  name: kptfile.kpt.dev\n"
      "  annotations:\n"
      "    config.kubernetes.io/local-config: \"true\"\n"
      "data:\n"
      "  name: example\n");
  Result<Done> done = object.set({"data", "name"}, json::Value(name));
  if (done && !path.empty()) done = object.set({"data", "package-path"}, json::Value(path));
  return object.text();
}

Result<krm::Package> generate_context(krm::Package package, std::string_view path) {
  std::map<std::string, std::string> contexts;                // file -> the context it gets
  std::map<std::string, std::vector<krm::Object>> remaining;  // of files that held one
  for (const auto& [file, content] : package.files) {
    if (!internal::is_resource_file(file)) continue;
    PORTICO_TRY(std::vector<krm::Object> objects, content.objects(), file);
    if (internal::base_name(file) == kKptfile) {
      if (objects.size() != 1) return invalid("must contain exactly one Kptfile").in(file);
      const std::string folder(internal::folder_of(file));
      contexts.emplace(
          internal::join(folder, kContextFile),
          context_text(objects.front().name(), path.empty() ? "" : internal::join(path, folder)));
    } else if (std::erase_if(objects, is_context) > 0) {
      remaining.emplace(file, std::move(objects));
    }
  }
  for (const auto& [file, objects] : remaining) {
    if (contexts.contains(file)) continue;
    if (objects.empty()) {
      package.files.erase(file);
    } else {
      package.set(file, krm::Object::join_file(objects));
    }
  }
  for (auto& [file, text] : contexts) {
    std::vector<krm::Object> objects;  // the other objects of the file, after the context
    if (const auto rest = remaining.find(file); rest != remaining.end()) {
      objects = std::move(rest->second);
    } else if (const krm::File* before = package.find(file); before != nullptr) {
      PORTICO_TRY(objects, before->objects(), file);
    }
    PORTICO_TRY(krm::Object context, krm::Object::parse(text), file);
    objects.insert(objects.begin(), std::move(context));
    package.set(file, krm::Object::join_file(objects));
  }
  return package;
}

}  // namespace portico::package
