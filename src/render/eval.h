// Runs one function over a package, as `kpt fn eval` does.
#pragma once

#include <optional>
#include <string>

#include "api/pipeline.h"
#include "render/render.h"

namespace portico::render {

struct Evaluation {
  /// Image or exec, with selectors; its configMap, if there is no `config`, becomes the function's
  /// ConfigMap, an empty one too. Its configPath is not looked at.
  api::Function function;
  std::optional<krm::Object> config;
  /// Path of a file of the package that is the config: it is no input and stays as it is.
  std::string config_file;
};

/// Everything below the root, subpackages included, is one list; a Kptfile is a resource like any
/// other and need not be there. Nothing is written where the function fails. An Error where the
/// package cannot be read. Of `options`, write_status has no meaning here.
Result<Rendered> evaluate(const krm::Package& package, const Evaluation& evaluation,
                          const FunctionRunner& runner, const Options& options = {});

/// The same over items that lie in no package (stream.h); they keep their order, and the Rendered
/// holds no package.
Result<Rendered> evaluate(std::vector<krm::Item> items, const Evaluation& evaluation,
                          const FunctionRunner& runner, const Options& options = {});

}  // namespace portico::render
