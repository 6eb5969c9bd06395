#include "functions/set_name_prefix.h"

#include <algorithm>
#include <optional>

#include "functions/internal/config.h"
#include "functions/internal/depends_on.h"
#include "functions/internal/fields.h"
#include "functions/internal/name_references.h"
#include "functions/internal/outcome.h"

namespace portico::functions {

namespace {

constexpr std::string_view kPackageContext = "kptfile.kpt.dev";

struct Config {
  std::string prefix, old_prefix = "packagename";

  std::optional<std::string> named(std::string_view name) const {
    if (!name.starts_with(old_prefix)) return std::nullopt;
    const std::string_view rest = name.substr(old_prefix.size());
    if (!rest.empty() && rest.front() != '-') return std::nullopt;
    return prefix + std::string(rest);
  }
};

std::ptrdiff_t depth(const krm::Item& item) {
  return std::count(item.package.begin(), item.package.end(), '/') +
         (item.package.empty() ? 0 : 1) + std::count(item.file.begin(), item.file.end(), '/');
}

Result<std::string> package_name(const std::vector<krm::Item>& items) {
  const krm::Item* context = nullptr;
  bool several = false;
  for (const krm::Item& item : items) {
    if (item.object.name() != kPackageContext || !is_local_config(item.object)) continue;
    several = context != nullptr && depth(item) == depth(*context);
    if (context == nullptr || depth(item) < depth(*context)) context = &item;
  }
  if (context == nullptr)
    return invalid("unable to find package context object: no local-config resource {}",
                   kPackageContext);
  if (several) return invalid("found multiple matches for package-context object");
  std::string name = scalar_text(context->object.value()["data"]["name"]);
  if (name.empty()) return invalid("package name (data.name) not set in package context object");
  return name;
}

Result<Config> read_config(const krm::ResourceList& list) {
  Config result;
  if (list.function_config) {
    if (!is_config_map(*list.function_config))
      return invalid("unknown functionConfig Kind={} ApiVersion={}, expect `ConfigMap`",
                     list.function_config->kind(), list.function_config->api_version());
    const auto data = texts(*list.function_config, "data");
    for (const auto& [key, value] : data) {
      if (key != "prefix" && key != "oldPrefix")
        return invalid("unknown key \"{}\" in the ConfigMap, expect `prefix` and `oldPrefix`", key);
      if (value.empty()) return invalid("`data.{}` should not be empty", key);
      (key == "prefix" ? result.prefix : result.old_prefix) = value;
    }
  }
  if (result.prefix.empty()) {
    PORTICO_TRY(result.prefix, package_name(list.items));
  }
  return result;
}

bool keeps_name(const krm::Object& object) {
  return is_local_config(object) ||
         (group_of(object) == "kpt.dev" && object.kind() == "ResourceGroup");
}

}  // namespace

Outcome set_name_prefix(krm::ResourceList list) {
  const auto config = read_config(list);
  if (!config) return fail(std::move(list), config.error().what);
  Renames renames;
  std::vector<std::optional<std::string>> names;
  for (const krm::Item& item : list.items) {
    const krm::Object& object = item.object;
    auto& now = names.emplace_back();
    if (keeps_name(object)) continue;
    now = config->named(object.name());
    if (!now) continue;
    renames.emplace(std::tuple(std::string(object.kind()), rename_scope(object), object.name()),
                    *now);
  }
  std::size_t count = 0;
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    krm::Object& object = list.items[i].object;
    json::Value value = object.value();
    if (names[i] && *names[i] != object.name()) {
      value = value.with_at({"metadata", "name"}, *names[i]);
      ++count;
    }
    value = with_dependencies(value, [&](Dependency& one) {
      if (const auto at = renames.find({one.kind, one.ns, one.name}); at != renames.end())
        one.name = at->second;
    });
    value = with_references(object, value, renames);
    if (value.same_as(object.value())) continue;
    if (auto updated = object.update(value); !updated)
      return fail(std::move(list), updated.error().text());
  }
  list.results.push_back(info(fmt::format("renamed {} resource(s)", count)));
  return done(std::move(list));
}

}  // namespace portico::functions
