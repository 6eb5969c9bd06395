// Runs the pipelines of a package and its subpackages, like `kpt fn render`.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "krm/package.h"
#include "krm/resource_list.h"
#include "render/function_runner.h"

namespace portico::render {

struct Options {
  /// The root package's name in messages (kpt: the name of its folder).
  std::string package_name = "package";
  /// kpt's --allow-exec. Without it a pipeline with `exec` fails.
  bool allow_exec = false;
  /// Prepended to an image without '/'.
  std::string image_prefix = "ghcr.io/kptdev/krm-functions-catalog/";
  /// Writes status.conditions[Rendered] and status.renderStatus into the root Kptfile, even after a
  /// failure. Off by default: a second render reports other results than the first ("already set"),
  /// so a package with the status never settles.
  bool write_status = false;
  /// Limits on a function's output, because functions are third-party programs.
  std::size_t max_items = 100'000;
  std::size_t max_bytes = 256u << 20;
};

/// A function of a package that was run, or could not be run.
struct FunctionRun {
  std::string image, exec;  // resolved: with prefix and tag
  std::string name;         // from the Kptfile
  bool validator = false;
  std::optional<std::size_t> selected;  // number of selected resources, if it has selectors
  std::vector<krm::FunctionResult> results;
  std::string stderr_text;
  int exit_code = 0;
  std::string error;  // why it was not run, or why its output was refused
  std::chrono::milliseconds took{0};
  bool ran = false;  // the runner ran it and returned an outcome
  bool ok() const { return exit_code == 0 && error.empty(); }
};

struct PackageRun {
  std::string folder;  // below the root; "" for the root
  std::string name;    // "root/sub"
  std::vector<FunctionRun> functions;
  bool ok = true;
};

struct Rendered {
  /// The package after rendering. If that failed: the input, or with kpt.dev/save-on-render-failure
  /// the state before the failure.
  krm::Package package;
  std::vector<krm::Item> items;      // in the order of the last function
  std::vector<PackageRun> packages;  // in the order visited
  /// Why rendering failed: package, function and cause. Empty: success.
  std::optional<Error> failure;
  bool breadth_first = false;
  bool saved_on_failure = false;
};

/// Packages are visited depth first: subpackages, then the package with the resources of its whole
/// subtree. With the annotation kpt.dev/bfs-rendering on the root Kptfile, breadth first: a package
/// before its subpackages. In each package, mutators run in order, each on the output of the
/// previous one, then validators, whose output is discarded.
///
/// Files whose objects did not change keep their bytes. Files whose objects are all gone are
/// removed; other files are kept. A new resource without a path gets NAMESPACE/kind_name.yaml next
/// to the function's config.
///
/// Returns an Error if the package cannot be read (Kptfile, pipeline, YAML): nothing was run. Any
/// other error is Rendered::failure, which callers must check, because the results up to then
/// matter. Pure apart from `runner`.
Result<Rendered> render(const krm::Package& package, const FunctionRunner& runner,
                        const Options& options = {});

}  // namespace portico::render
