#include "functions/kubeval.h"

#include <algorithm>
#include <set>

#include "functions/internal/config.h"
#include "functions/internal/custom_schema.h"
#include "functions/internal/kubernetes_schema.h"
#include "functions/internal/outcome.h"
#include "functions/internal/package_files.h"

namespace portico::functions {

namespace {

struct Config {
  bool strict = false, ignore_missing_schemas = false;
  std::set<std::string, std::less<>> skip_kinds;
  bool has_locations = false;
};

Result<bool> read_flag(const std::string& text, std::string_view name) {
  if (text.empty() || text == "false") return false;
  if (text == "true") return true;
  return invalid("`{}` is \"{}\", expect \"true\" or \"false\"", name, text);
}

Result<Config> read_config(const std::optional<krm::Object>& config) {
  Config result;
  if (!config) return result;
  if (!is_config_map(*config))
    return invalid("unknown functionConfig Kind={} ApiVersion={}, expect `ConfigMap`",
                   config->kind(), config->api_version());
  auto data = texts(*config, "data");
  PORTICO_TRY(result.strict, read_flag(data["strict"], "strict"));
  PORTICO_TRY(result.ignore_missing_schemas,
              read_flag(data["ignore_missing_schemas"], "ignore_missing_schemas"));
  std::string kind;
  for (const char c : data["skip_kinds"] + ",") {
    if (c == ',') {
      result.skip_kinds.insert(std::move(kind));
      kind.clear();
    } else if (c != ' ') {
      kind += c;
    }
  }
  result.has_locations =
      !data["schema_location"].empty() || !data["additional_schema_locations"].empty();
  return result;
}

class Validation {
 public:
  Validation(const Config& config, const std::vector<krm::Item>& items)
      : config_(config), custom_(items) {}

  void check_item(const krm::Item& item) {
    item_ = &item;
    check_object(item.object.value(), {});
  }

  std::vector<krm::FunctionResult> take() { return std::move(results_); }

 private:
  void check_object(const json::Value& object, const krm::Path& path) {
    const std::string_view kind = object["kind"].as_string();
    const std::string_view api_version = object["apiVersion"].as_string();
    if (is_kptfile(item_->object) || config_.skip_kinds.contains(kind)) return;
    if (kind == "List" && api_version == "v1") {
      for (std::size_t i = 0; i < object["items"].items().size(); ++i) {
        krm::Path below = path;
        below.emplace_back("items");
        below.emplace_back(i);
        check_object(object["items"].items()[i], below);
      }
      return;
    }
    const auto schema = Schema::find(api_version, kind);
    const json::Value* const custom = schema ? nullptr : custom_.find(api_version, kind);
    if (!schema && custom == nullptr) return missing_schema(api_version, kind, path);
    for (SchemaError& error : schema ? check(*schema, object, config_.strict)
                                     : check_custom(*custom, object, config_.strict)) {
      krm::Path whole = path;
      whole.insert(whole.end(), error.path.begin(), error.path.end());
      add(std::move(error.message), whole);
    }
  }

  void missing_schema(std::string_view api_version, std::string_view kind, const krm::Path& path) {
    if (config_.ignore_missing_schemas || is_local_config(item_->object)) return;
    const std::string served = custom_.served(api_version, kind);
    if (!served.empty())
      return add(fmt::format("the CustomResourceDefinition of kind \"{}\" does not serve \"{}\": "
                             "served {} {}",
                             kind, api_version,
                             served.find(',') == std::string::npos ? "is" : "are", served),
                 path);
    add(fmt::format("could not find schema for kind \"{}\" of \"{}\": it is not part of Kubernetes "
                    "{}, and its CustomResourceDefinition is not in the package; add it, or set "
                    "ignore_missing_schemas or skip_kinds in the function config",
                    kind, api_version, Schema::release()),
        path);
  }

  void add(std::string message, const krm::Path& path) {
    const krm::Object& object = item_->object;
    krm::FunctionResult result = plain_at(*item_, krm::path_text(path), std::move(message));
    result.severity = "error";
    result.resource =
        krm::ResourceRef{std::string(object.api_version()), std::string(object.kind()),
                         std::string(object.ns()), std::string(object.name())};
    results_.push_back(std::move(result));
  }

  const Config& config_;
  const CustomKinds custom_;
  const krm::Item* item_ = nullptr;
  std::vector<krm::FunctionResult> results_;
};

}  // namespace

Outcome kubeval(krm::ResourceList list) {
  const auto config = read_config(list.function_config);
  if (!config) return fail_at_config(std::move(list), config.error().text());
  if (config->has_locations) {
    list.results.push_back(
        info(fmt::format("schema locations are ignored: the resources are validated against the "
                         "schemas of Kubernetes {}",
                         Schema::release())));
    list.results.back().severity = "warning";
  }
  Validation validation(*config, list.items);
  for (const krm::Item& item : list.items) validation.check_item(item);
  std::vector<krm::FunctionResult> errors = validation.take();
  const bool failed = !errors.empty();
  for (krm::FunctionResult& error : errors) list.results.push_back(std::move(error));
  return {std::move(list), "", failed ? 1 : 0};
}

}  // namespace portico::functions
