// One package's pipeline over a list of resources.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "render/internal/tree.h"
#include "render/render.h"

namespace portico::render {

/// The ConfigMap that a function with `configMap` gets.
krm::Object function_input(const api::StringMap& data);

/// kpt's check of what goes in and comes out: apiVersion, kind and metadata.name, kustomizations
/// excepted. The error names the file.
Result<Done> check_krm(const std::vector<krm::Item>& items);

/// Before anything runs: each configPath of each pipeline names a file with one KRM object.
Result<Done> check_pipelines(const Node& root, const Originals& originals);

/// Resources on their way, and what ended it.
struct Progress {
  std::vector<krm::Item> items;  // after the last function that went well
  std::optional<Error> failure;
};

/// What stays the same while a package and its subpackages are rendered.
struct Setting {
  const krm::Package& files;
  const Originals& originals;
  const FunctionRunner& runner;
  const Options& options;
  bool keeps_kptfile = true;  // an answer without the root Kptfile is refused
};

/// Mutators, then validators, of `node` over `items`. Each function run is added to `run`.
Progress run_pipeline(const Node& node, std::vector<krm::Item> items, const Setting& setting,
                      PackageRun& run);

/// One function over `items`, with its config given; selectors as in a pipeline.
Progress run_function(const api::Function& function, std::optional<krm::Object> config,
                      std::vector<krm::Item> items, const Setting& setting, PackageRun& run);

/// `files` with the items written into it. Files whose objects are what they were keep their bytes;
/// resource files that no item is in are removed where `prune` says so.
krm::Package written(const krm::Package& files, const std::vector<krm::Item>& items,
                     const Originals& originals, bool prune);

}  // namespace portico::render
