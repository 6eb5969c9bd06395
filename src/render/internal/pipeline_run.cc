#include "render/internal/pipeline_run.h"

#include <algorithm>
#include <functional>
#include <map>

#include "base/secrets.h"
#include "base/world_error.h"
#include "json/text.h"
#include "render/internal/answer.h"
#include "render/internal/paths.h"
#include "render/internal/selection.h"

namespace portico::render {

namespace {

bool is_kustomization(const krm::Item& item) {
  const std::string_view base = base_of(item.file);
  return base == "kustomization.yaml" || base == "kustomization.yml" || base == "Kustomization" ||
         item.object.api_version().starts_with("kustomize.config.k8s.io") ||
         (item.object.kind() == "Kustomization" && item.object.api_version().empty());
}

/// kpt's resolution of an image name: `tag` replaces the image's own tag.
std::string resolved_image(const api::Function& function, const Options& options) {
  std::string image = function.image;
  if (image.empty()) return image;
  if (image.find('/') == std::string::npos) image = options.image_prefix + image;
  const std::size_t mark = base_of(image).find_first_of(":@");
  if (mark != std::string_view::npos) {
    const std::size_t at = image.size() - base_of(image).size() + mark;
    if (function.tag.empty() || image.find('@') != std::string::npos) return image;
    image.resize(at);
  }
  return image + ":" + (function.tag.empty() ? "latest" : function.tag);
}

/// A resource that is alone in a JSON file is written as JSON, whatever its source format.
std::string file_text(const std::string& path, const std::vector<krm::Object>& objects) {
  std::string text = krm::Object::join_file(objects);
  if (path.ends_with(".json") && objects.size() == 1 && !json::parse(text))
    text = json::print_pretty(objects[0].value(), 2);
  if (!text.empty() && text.back() != '\n') text += '\n';
  return text;
}

/// Adds the function to the places of an error, unless its text already names it.
Error in_function(Error error, const FunctionRun& run, std::string place = "") {
  const std::string name = fmt::format("\"{}\"", run.image.empty() ? run.exec : run.image);
  if (error.what.find(name) == std::string::npos) place += (place.empty() ? "" : " ") + name;
  return place.empty() ? error : std::move(error).in(std::move(place));
}

struct Config {
  std::optional<krm::Object> object;
  std::string folder;  // of the config's file in the package
};

class PipelineRun {
 public:
  PipelineRun(std::string_view folder, const Setting& setting, PackageRun& run)
      : folder_(folder), setting_(setting), run_(run) {}

  Progress run(const Node& node, std::vector<krm::Item> items) {
    Progress progress{std::move(items), std::nullopt};
    const api::Pipeline& pipeline = node.kptfile.pipeline;
    for (const auto* list : {&pipeline.mutators, &pipeline.validators}) {
      for (std::size_t i = 0; i < list->size(); ++i) {
        const bool validator = list == &pipeline.validators;
        const api::Function& function = (*list)[i];
        auto result = run_one(function, validator, progress.items,
                              [&] { return config_of(node, function, progress.items); });
        if (result) {
          if (!validator) progress.items = *std::move(result);
          continue;
        }
        run_.ok = false;
        progress.failure =
            in_function(std::move(result).error(), run_.functions.back(),
                        fmt::format("{}[{}]", validator ? "validators" : "mutators", i))
                .in(fmt::format("package \"{}\"", node.name));
        return progress;
      }
    }
    return progress;
  }

  /// The package's list after the function. `find_config` is called once the function is known to
  /// be allowed.
  Result<std::vector<krm::Item>> run_one(const api::Function& function, bool validator,
                                         const std::vector<krm::Item>& items,
                                         const std::function<Result<Config>()>& find_config) {
    FunctionRun& run = run_.functions.emplace_back();
    run.name = function.name;
    run.image = resolved_image(function, setting_.options);
    run.exec = function.exec;
    run.validator = validator;
    auto result = attempt(function, items, find_config, run);
    if (!result && run.exit_code == 0) {
      run.exit_code = 1;
      run.error = result.error().text();
    }
    return result;
  }

 private:
  Result<std::vector<krm::Item>> attempt(const api::Function& function,
                                         const std::vector<krm::Item>& items,
                                         const std::function<Result<Config>()>& find_config,
                                         FunctionRun& run) {
    if (!function.exec.empty() && !setting_.options.allow_exec)
      return invalid("must run with `--allow-exec` option to allow running function binaries");
    PORTICO_TRY(Config config, find_config());
    krm::ResourceList input;
    std::vector<std::size_t> selected;
    const bool selective = has_selection(function);
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (selective && !is_selected(function, items[i].object)) continue;
      input.items.push_back(items[i]);
      input.items.back().origin = static_cast<int>(selected.size());
      selected.push_back(i);
    }
    if (selective) run.selected = selected.size();
    input.function_config = std::move(config.object);

    PORTICO_TRY(FunctionOutcome outcome,
                setting_.runner.run({run.image, run.exec, function.tag}, std::move(input)));
    run.ran = true;
    run.results = std::move(outcome.list.results);
    // They go into the Kptfile, conditions and terminals.
    for (krm::FunctionResult& result : run.results)
      result.message = without_secrets(result.message);
    run.stderr_text = without_secrets(outcome.stderr_text);
    run.exit_code = outcome.exit_code;
    run.took = outcome.took;
    if (!outcome.image.empty()) run.image = std::move(outcome.image);
    if (run.exit_code != 0) return function_failure(run, outcome.may_pass);
    const AnswerContext context{items,
                                selected,
                                selective,
                                folder_,
                                config.folder,
                                setting_.files,
                                setting_.originals,
                                setting_.options,
                                setting_.keeps_kptfile};
    if (run.validator) return items;
    return accept_answer(std::move(outcome.list.items), context);
  }

  static Error function_failure(const FunctionRun& run, bool may_pass) {
    std::string why = run.stderr_text.substr(0, run.stderr_text.find('\n'));
    for (const krm::FunctionResult& result : run.results) {
      if (result.severity != "error") continue;
      why = result.message;
      break;
    }
    return error_for(may_pass ? Remedy::kOperator : Remedy::kObject,
                     fmt::format("exit code {}{}{}", run.exit_code, why.empty() ? "" : ": ", why));
  }

  Result<Config> config_of(const Node& node, const api::Function& function,
                           const std::vector<krm::Item>& items) const {
    if (!function.config_map.empty()) return Config{function_input(function.config_map), ""};
    if (function.config_path.empty()) return Config{};
    const std::string& path = function.config_path;
    Config config{std::nullopt, std::string(folder_of(path))};
    // An earlier function may have changed the config.
    for (const krm::Item& item : items)
      if (item.package == node.folder && item.file == path) config.object = item.object;
    if (config.object) return config;
    const std::string clean = clean_path(path);
    config.folder = folder_of(clean);
    const auto file = setting_.originals.find(join_path(node.folder, clean));
    const bool own = std::any_of(node.items.begin(), node.items.end(),
                                 [&](const krm::Item& item) { return item.file == clean; });
    if (file == setting_.originals.end() || !own) {
      return invalid(
          "functionConfig is missing from path \"{}\", this also occurs if \"{}\" is part of a "
          "subpackage",
          path, path);
    }
    config.object = file->second.front();
    return config;
  }

  const std::string folder_;
  const Setting& setting_;
  PackageRun& run_;
};

/// kpt's check when it opens a package: each config is one KRM object of this package.
Result<Done> check_configs(const Node& node, const Originals& originals) {
  const auto check = [&](const std::vector<api::Function>& functions,
                         std::string_view list) -> Result<Done> {
    for (std::size_t i = 0; i < functions.size(); ++i) {
      if (functions[i].config_path.empty()) continue;
      const std::string& path = functions[i].config_path;
      const std::string place = fmt::format("pipeline.{}[{}].configPath", list, i);
      const auto file = originals.find(join_path(node.folder, clean_path(path)));
      if (file == originals.end() || file->second.empty()) {
        return not_found("failed to open functionConfig from path \"{}\": no such file", path)
            .in(place);
      }
      if (file->second.size() > 1) {
        return invalid("functionConfig \"{}\" must not contain more than one config, got {}", path,
                       file->second.size())
            .in(place);
      }
      const krm::Item item{file->second.front(), path, 0, node.folder, -1};
      PORTICO_DO(check_krm({item}), place);
    }
    return Done{};
  };
  PORTICO_DO(check(node.kptfile.pipeline.mutators, "mutators"), join_path(node.folder, "Kptfile"));
  PORTICO_DO(check(node.kptfile.pipeline.validators, "validators"),
             join_path(node.folder, "Kptfile"));
  for (const Node& child : node.children) PORTICO_DO(check_configs(child, originals));
  return Done{};
}

}  // namespace

krm::Object function_input(const api::StringMap& data) {
  std::vector<json::Member> members;
  for (const auto& [key, value] : data) members.push_back({key, value});
  return krm::Object::from_value(
      json::Value::object({{"apiVersion", "v1"},
                           {"kind", "ConfigMap"},
                           {"metadata", json::Value::object({{"name", "function-input"}})},
                           {"data", json::Value::object(std::move(members))}}));
}

Result<Done> check_krm(const std::vector<krm::Item>& items) {
  for (const krm::Item& item : items) {
    if (is_kustomization(item)) continue;
    const char* missing = item.object.api_version().empty() ? "apiVersion"
                          : item.object.kind().empty()      ? "kind"
                          : item.object.name().empty()      ? "metadata.name"
                                                            : nullptr;
    if (missing != nullptr) return invalid("{}: resource must have `{}`", item.file, missing);
  }
  return Done{};
}

Progress run_pipeline(const Node& node, std::vector<krm::Item> items, const Setting& setting,
                      PackageRun& run) {
  if (auto checked = check_krm(items); !checked) {
    run.ok = false;
    return {std::move(items), std::move(checked)
                                  .error()
                                  .in("input resource list must contain only KRM resources")
                                  .in(fmt::format("package \"{}\"", node.name))};
  }
  return PipelineRun(node.folder, setting, run).run(node, std::move(items));
}

Progress run_function(const api::Function& function, std::optional<krm::Object> config,
                      std::vector<krm::Item> items, const Setting& setting, PackageRun& run) {
  PipelineRun pipeline("", setting, run);
  auto result = pipeline.run_one(function, false, items, [&]() -> Result<Config> {
    PORTICO_DO(check_krm(items), "input resource list must contain only KRM resources");
    return Config{std::move(config), ""};
  });
  if (result) return {*std::move(result), std::nullopt};
  run.ok = false;
  return {std::move(items), in_function(std::move(result).error(), run.functions.back())};
}

Result<Done> check_pipelines(const Node& root, const Originals& originals) {
  return check_configs(root, originals);
}

krm::Package written(const krm::Package& files, const std::vector<krm::Item>& items,
                     const Originals& originals, bool prune) {
  std::map<std::string, std::vector<const krm::Item*>> by_path;
  for (const krm::Item& item : items) by_path[join_path(item.package, item.file)].push_back(&item);
  krm::Package result = files;
  for (auto& [path, list] : by_path) {
    std::stable_sort(list.begin(), list.end(), [](const krm::Item* a, const krm::Item* b) {
      // -1, a new item, sorts last.
      return static_cast<unsigned>(a->index) < static_cast<unsigned>(b->index);
    });
    std::vector<krm::Object> objects;
    objects.reserve(list.size());
    for (const krm::Item* item : list) objects.push_back(item->object);
    const auto original = originals.find(path);
    if (original != originals.end() && original->second == objects) continue;
    result.set(path, file_text(path, objects));
  }
  if (prune) {
    for (const auto& [path, objects] : originals)
      if (!objects.empty() && !by_path.contains(path)) result.files.erase(path);
  }
  return result;
}

}  // namespace portico::render
