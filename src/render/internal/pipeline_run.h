// Runs the pipeline of one package on a list of resources.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "render/internal/tree.h"
#include "render/render.h"

namespace portico::render {

/// The ConfigMap passed to a function with `configMap`.
krm::Object function_input(const api::StringMap& data);

/// kpt's check of a function's input and output: apiVersion, kind and metadata.name, except for
/// kustomizations. The error names the file.
Result<Done> check_krm(const std::vector<krm::Item>& items);

/// Checks, before anything runs, that every configPath of every pipeline names a file with one KRM
/// object.
Result<Done> check_pipelines(const Node& root, const Originals& originals);

/// The resources so far, and the error that ended the run.
struct Progress {
  std::vector<krm::Item> items;  // after the last successful function
  std::optional<Error> failure;
};

/// Constant while a package and its subpackages are rendered.
struct Setting {
  const krm::Package& files;
  const Originals& originals;
  const FunctionRunner& runner;
  const Options& options;
  bool keeps_kptfile = true;  // refuse an answer without the root Kptfile
};

/// Runs the mutators, then the validators, of `node` on `items`. Adds each function to `run`.
Progress run_pipeline(const Node& node, std::vector<krm::Item> items, const Setting& setting,
                      PackageRun& run);

/// Runs one function on `items`, with the given config; selectors as in a pipeline.
Progress run_function(const api::Function& function, std::optional<krm::Object> config,
                      std::vector<krm::Item> items, const Setting& setting, PackageRun& run);

/// `files` with the items written into it. Files whose objects are unchanged keep their bytes. With
/// `prune`, resource files without items are removed.
krm::Package written(const krm::Package& files, const std::vector<krm::Item>& items,
                     const Originals& originals, bool prune);

}  // namespace portico::render
