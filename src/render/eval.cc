#include "render/eval.h"

#include "render/internal/pipeline_run.h"
#include "render/internal/tree.h"

namespace portico::render {

Result<Rendered> evaluate(const krm::Package& package, const Evaluation& evaluation,
                          const FunctionRunner& runner, const Options& options) {
  PORTICO_TRY(Resources resources, read_all(package));
  if (!evaluation.config_file.empty()) {
    std::erase_if(resources.items,
                  [&](const krm::Item& item) { return item.file == evaluation.config_file; });
    resources.originals.erase(evaluation.config_file);
  }
  std::optional<krm::Object> config = evaluation.config;
  if (!config) config = function_input(evaluation.function.config_map);
  if (auto checked = check_krm({{*config, "functionConfig", 0, "", -1}}); !checked)
    return std::move(checked).error();

  Rendered rendered;
  const Setting setting{package, resources.originals, runner, options, false};
  PackageRun& run = rendered.packages.emplace_back();
  run.name = options.package_name;
  Progress progress = run_function(evaluation.function, std::move(config),
                                   std::move(resources.items), setting, run);
  rendered.items = std::move(progress.items);
  rendered.failure = std::move(progress.failure);
  rendered.package =
      rendered.failure ? package : written(package, rendered.items, resources.originals, true);
  return rendered;
}

}  // namespace portico::render
