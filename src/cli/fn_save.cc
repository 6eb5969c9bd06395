#include "cli/fn_save.h"

#include <fmt/format.h>

#include "krm/meta.h"
#include "krm/object.h"

namespace portico::cli {
namespace {

const std::vector<std::string> kKeyOrder{
    "image", "exec",       "tag",  "configPath", "configMap", "selectors",  "exclude",
    "name",  "apiVersion", "kind", "namespace",  "labels",    "annotations"};

json::Value to_value(const std::vector<api::Selector>& selectors) {
  std::vector<json::Value> list;
  for (const api::Selector& one : selectors) {
    json::Value value = json::Value::object();
    const std::pair<const char*, const std::string&> fields[] = {{"apiVersion", one.api_version},
                                                                 {"kind", one.kind},
                                                                 {"name", one.name},
                                                                 {"namespace", one.ns}};
    for (const auto& [name, text] : fields)
      if (!text.empty()) value = value.with(name, text);
    if (!one.labels.empty()) value = value.with("labels", krm::to_value(one.labels));
    if (!one.annotations.empty()) value = value.with("annotations", krm::to_value(one.annotations));
    list.push_back(std::move(value));
  }
  return json::Value::array(std::move(list));
}

json::Value to_value(const api::Function& function) {
  json::Value value = json::Value::object();
  const std::pair<const char*, const std::string&> fields[] = {
      {"image", function.image},
      {"exec", function.exec},
      {"tag", function.tag},
      {"configPath", function.config_path}};
  for (const auto& [name, text] : fields)
    if (!text.empty()) value = value.with(name, text);
  if (!function.config_map.empty())
    value = value.with("configMap", krm::to_value(function.config_map));
  if (!function.selectors.empty()) value = value.with("selectors", to_value(function.selectors));
  if (!function.exclude.empty()) value = value.with("exclude", to_value(function.exclude));
  return value;
}

/// The image without tag and digest. An image without a registry matches any registry.
std::string_view repository(std::string_view image) {
  image = image.substr(0, image.find('@'));
  const std::size_t slash = image.rfind('/');
  const std::size_t colon = image.find(':', slash == std::string_view::npos ? 0 : slash);
  return image.substr(0, colon);
}

bool is_same(const json::Value& have, const api::Function& function) {
  if (!function.exec.empty()) return have["exec"].as_string() == function.exec;
  const std::string_view old = repository(have["image"].as_string());
  const std::string_view now = repository(function.image);
  if (old.find('/') == std::string_view::npos) return old == now.substr(now.rfind('/') + 1);
  return old == now;
}

krm::Edit setting(krm::Path path, const json::Value& value) {
  krm::Edit edit;
  edit.path = std::move(path);
  edit.value = value;
  edit.key_order = kKeyOrder;
  return edit;
}

}  // namespace

Result<std::string> save_function(krm::Package& package, const api::Function& function,
                                  bool validator) {
  const krm::File* file = package.find("Kptfile");
  if (file == nullptr) return std::string("function not added: Kptfile not exists");
  PORTICO_TRY(krm::Object kptfile, krm::Object::parse(file->text()), "Kptfile");
  const std::string list = validator ? "validators" : "mutators";
  const json::Value have = kptfile.value()["pipeline"][list];
  std::size_t at = 0;
  while (at < have.size() && !is_same(have[at], function)) ++at;
  const bool update = at < have.size();
  krm::Edit edit = setting({"pipeline", list, at}, to_value(function));
  // Indents the first list of a Kptfile as kpt does.
  PORTICO_TRY(krm::Object first,
              krm::Object::parse(fmt::format("pipeline:\n  {}:\n    - a: b\n", list)));
  if (!kptfile.value().contains("pipeline")) {
    edit.path.back() = std::size_t{0};
    PORTICO_DO(first.edit({edit}));
    edit = krm::Edit{};
    edit.path = edit.from_path = {"pipeline"};
    edit.from = &first;
  }
  PORTICO_DO(kptfile.edit({edit}), "Kptfile");
  package.set("Kptfile", kptfile.text());
  return fmt::format("{} \"{}\" as {} in the Kptfile.", update ? "Updated" : "Added",
                     function.image.empty() ? function.exec : function.image,
                     validator ? "validator" : "mutator");
}

}  // namespace portico::cli
