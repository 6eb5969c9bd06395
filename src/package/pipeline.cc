#include "package/pipeline.h"

#include <fmt/format.h>

#include <charconv>
#include <vector>

#include "api/decode.h"
#include "package/kptfile.h"

namespace portico::package {

namespace {

constexpr std::string_view kPrefix = "PackageVariant.";

bool is_index(std::string_view text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return !text.empty() && error == std::errc() && end == text.data() + text.size();
}

Result<Done> set_list(krm::Object& kptfile, const std::string& list, std::string_view variant,
                      const std::vector<api::Function>& functions) {
  std::vector<json::Value> wanted;
  for (std::size_t i = 0; i < functions.size(); ++i) {
    api::Function function = functions[i];
    function.name = function_name(variant, function.name, i);
    wanted.push_back(api::encode(function));
  }
  const krm::Path path = {"pipeline", list};
  const json::Value have = value_at(kptfile, path);
  if (!have.is_null() && !have.is_array())
    return invalid("must be a list").in(krm::path_text(path));

  std::vector<std::size_t> ours;
  bool in_place = true;  // whether ours are exactly the wanted ones, at the front
  for (std::size_t i = 0; i < have.size(); ++i) {
    if (!is_variant_function(have[i]["name"].as_string(), variant)) continue;
    in_place = in_place && ours.size() == i && i < wanted.size() && have[i] == wanted[i];
    ours.push_back(i);
  }
  if (!in_place || ours.size() != wanted.size()) {
    // kpt's order of a function's fields: the name, what runs, how it is configured.
    const std::vector<std::string> order = {"name",       "image",     "exec",      "tag",
                                            "configPath", "configMap", "selectors", "exclude"};
    if (!wanted.empty()) PORTICO_DO(kptfile.prepend(path, wanted, order));
    for (auto index = ours.rbegin(); index != ours.rend(); ++index)
      PORTICO_DO(kptfile.remove({"pipeline", list, *index + wanted.size()}));
  }
  return remove_if_empty(kptfile, path);
}

}  // namespace

std::string function_name(std::string_view variant, std::string_view function, std::size_t index) {
  return fmt::format("{}{}.{}.{}", kPrefix, variant, function, index);
}

bool is_variant_function(std::string_view name, std::string_view variant) {
  if (!name.starts_with(kPrefix)) return false;
  name.remove_prefix(kPrefix.size());
  if (!name.starts_with(variant)) return false;
  name.remove_prefix(variant.size());
  // The rest is ".<function>.<index>", where the function may be empty.
  const std::size_t dot = name.rfind('.');
  return name.starts_with('.') && dot != 0 && is_index(name.substr(dot + 1));
}

bool is_variant_function(std::string_view name) {
  if (!name.starts_with(kPrefix)) return false;
  name.remove_prefix(kPrefix.size());
  const std::size_t index = name.rfind('.'), variant = name.find('.');
  return variant != 0 && variant != index && index != std::string_view::npos &&
         is_index(name.substr(index + 1));
}

Result<krm::Package> set_pipeline(krm::Package package, std::string_view variant,
                                  const api::Pipeline& pipeline) {
  PORTICO_TRY(krm::Object kptfile, kptfile_of(package));
  const std::string place(kKptfile);
  const json::Value have = value_at(kptfile, {"pipeline"});
  if (!have.is_null() && !have.is_object())
    return invalid("must be an object").in("pipeline").in(place);
  PORTICO_DO(set_list(kptfile, "mutators", variant, pipeline.mutators), place);
  PORTICO_DO(set_list(kptfile, "validators", variant, pipeline.validators), place);
  PORTICO_DO(remove_if_empty(kptfile, {"pipeline"}), place);
  put_kptfile(package, kptfile);
  return package;
}

}  // namespace portico::package
