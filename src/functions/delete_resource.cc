#include "functions/delete_resource.h"

#include <algorithm>
#include <array>
#include <map>

#include "functions/internal/config.h"
#include "functions/internal/fields.h"
#include "functions/internal/outcome.h"
#include "functions/internal/package_files.h"

namespace portico::functions {

namespace {

constexpr std::array<std::string_view, 4> kFields{"apiVersion", "kind", "name", "namespace"};

struct Selector {
  std::map<std::string, std::string, std::less<>> fields, labels, annotations;

  bool matches(const krm::Object& object) const {
    const json::Value& metadata = object.value()["metadata"];
    const std::map<std::string_view, std::string_view> have{{"apiVersion", object.api_version()},
                                                            {"kind", object.kind()},
                                                            {"name", object.name()},
                                                            {"namespace", object.ns()}};
    return std::all_of(fields.begin(), fields.end(),
                       [&](const auto& field) { return have.at(field.first) == field.second; }) &&
           carries(metadata["labels"], labels) && carries(metadata["annotations"], annotations);
  }

 private:
  static bool carries(const json::Value& map,
                      const std::map<std::string, std::string, std::less<>>& wanted) {
    return std::all_of(wanted.begin(), wanted.end(), [&](const auto& one) {
      const json::Value* value = map.find(one.first);
      return value != nullptr && scalar_text(*value) == one.second;
    });
  }
};

struct Config {
  std::vector<Selector> selectors, exclude;

  bool selects(const krm::Object& object) const {
    const auto matches = [&](const Selector& one) { return one.matches(object); };
    return std::any_of(selectors.begin(), selectors.end(), matches) &&
           std::none_of(exclude.begin(), exclude.end(), matches);
  }
};

Result<Selector> read_selector(const json::Value& value) {
  Selector selector;
  for (const json::Member& member : value.members()) {
    const std::string_view name = member.name();
    if (std::find(kFields.begin(), kFields.end(), name) != kFields.end()) {
      const std::string text = scalar_text(member.value);
      if (!text.empty()) selector.fields.emplace(name, text);
    } else if (name == "labels" || name == "annotations") {
      auto& wanted = name == "labels" ? selector.labels : selector.annotations;
      for (const json::Member& one : member.value.members())
        wanted.emplace(one.name(), scalar_text(one.value));
    } else {
      return invalid(
          "unknown field \"{}\", expect apiVersion, kind, name, namespace, labels or annotations",
          name);
    }
  }
  if (selector.fields.empty() && selector.labels.empty() && selector.annotations.empty())
    return invalid("a selector must not be empty: it would select all resources");
  return selector;
}

Result<std::vector<Selector>> read_selectors(const json::Value& list, std::string_view name) {
  std::vector<Selector> selectors;
  for (std::size_t i = 0; i < list.items().size(); ++i) {
    PORTICO_TRY(auto one, read_selector(list.items()[i]), fmt::format("{}[{}]", name, i));
    selectors.push_back(std::move(one));
  }
  return selectors;
}

Result<Config> read_config(const std::optional<krm::Object>& config) {
  Config result;
  if (is_not_given(config))
    return invalid("FunctionConfig is missing, expect `ConfigMap` or `DeleteResource`");
  if (is_config_map(*config)) {
    const json::Value& data = config->value()["data"];
    if (data.contains("labels") || data.contains("annotations"))
      return invalid("`labels` and `annotations` need a functionConfig of kind `DeleteResource`");
    PORTICO_TRY(auto one, read_selector(data), "data");
    result.selectors.push_back(std::move(one));
    return result;
  }
  if (!is_fn_config(*config, "DeleteResource"))
    return invalid(
        "unknown functionConfig Kind={} ApiVersion={}, expect `ConfigMap` or `DeleteResource`",
        config->kind(), config->api_version());
  const json::Value& value = config->value();
  PORTICO_TRY(result.selectors, read_selectors(value["selectors"], "selectors"));
  PORTICO_TRY(result.exclude, read_selectors(value["exclude"], "exclude"));
  if (result.selectors.empty()) return invalid("`selectors` must not be empty");
  return result;
}

}  // namespace

Outcome delete_resource(krm::ResourceList list) {
  const auto config = read_config(list.function_config);
  if (!config) return fail_at_config(std::move(list), config.error().text());
  std::vector<krm::FunctionResult> deleted;
  std::erase_if(list.items, [&](const krm::Item& item) {
    const krm::Object& object = item.object;
    if (is_kptfile(object)) return false;
    if (!config->selects(object)) return false;
    krm::FunctionResult result = info("deleted");
    result.resource =
        krm::ResourceRef{std::string(object.api_version()), std::string(object.kind()),
                         std::string(object.ns()), std::string(object.name())};
    result.file = item.file;
    result.index = std::max(item.index, 0);
    deleted.push_back(std::move(result));
    return true;
  });
  if (deleted.empty()) deleted.push_back(info("no resource matches, nothing deleted"));
  for (krm::FunctionResult& result : deleted) list.results.push_back(std::move(result));
  return done(std::move(list));
}

}  // namespace portico::functions
