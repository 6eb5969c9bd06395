#include "render/eval.h"

#include "render/internal/pipeline_run.h"
#include "render/internal/tree.h"

namespace portico::render {

namespace {

Result<std::optional<krm::Object>> config_of(const Evaluation& evaluation) {
  std::optional<krm::Object> config = evaluation.config;
  if (!config) config = function_input(evaluation.function.config_map);
  PORTICO_DO(check_krm({{*config, "functionConfig", 0, "", -1}}));
  return config;
}

Rendered run(std::vector<krm::Item> items, const Evaluation& evaluation,
             std::optional<krm::Object> config, const Setting& setting) {
  Rendered rendered;
  PackageRun& run = rendered.packages.emplace_back();
  run.name = setting.options.package_name;
  Progress progress =
      run_function(evaluation.function, std::move(config), std::move(items), setting, run);
  rendered.items = std::move(progress.items);
  rendered.failure = std::move(progress.failure);
  return rendered;
}

}  // namespace

Result<Rendered> evaluate(const krm::Package& package, const Evaluation& evaluation,
                          const FunctionRunner& runner, const Options& options) {
  PORTICO_TRY(Resources resources, read_all(package));
  if (!evaluation.config_file.empty()) {
    std::erase_if(resources.items,
                  [&](const krm::Item& item) { return item.file == evaluation.config_file; });
    resources.originals.erase(evaluation.config_file);
  }
  PORTICO_TRY(std::optional<krm::Object> config, config_of(evaluation));

  const Setting setting{package, resources.originals, runner, options, false};
  Rendered rendered = run(std::move(resources.items), evaluation, std::move(config), setting);
  rendered.package =
      rendered.failure ? package : written(package, rendered.items, resources.originals, true);
  return rendered;
}

Result<Rendered> evaluate(std::vector<krm::Item> items, const Evaluation& evaluation,
                          const FunctionRunner& runner, const Options& options) {
  PORTICO_TRY(std::optional<krm::Object> config, config_of(evaluation));
  const krm::Package no_files;
  const Originals no_originals;
  const Setting setting{no_files, no_originals, runner, options, false};
  return run(std::move(items), evaluation, std::move(config), setting);
}

}  // namespace portico::render
