// Runs one function over a package, as `kpt fn eval` does.
#pragma once

#include <optional>
#include <string>

#include "api/pipeline.h"
#include "render/render.h"

namespace portico::render {

struct Evaluation {
  /// Image or exec, with selectors. Without `config`, its configMap, even an empty one, becomes the
  /// function's ConfigMap. Its configPath is ignored.
  api::Function function;
  std::optional<krm::Object> config;
  /// Path of a package file that contains the config: it is not part of the input and stays
  /// unchanged.
  std::string config_file;
};

/// The input is everything below the root, including subpackages, as one list. Kptfiles are
/// ordinary resources and need not exist. Nothing is written if the function fails. An Error if the
/// package cannot be read. options.write_status is ignored.
Result<Rendered> evaluate(const krm::Package& package, const Evaluation& evaluation,
                          const FunctionRunner& runner, const Options& options = {});

/// The same for items outside of a package (stream.h). They keep their order, and the Rendered has
/// no package.
Result<Rendered> evaluate(std::vector<krm::Item> items, const Evaluation& evaluation,
                          const FunctionRunner& runner, const Options& options = {});

}  // namespace portico::render
