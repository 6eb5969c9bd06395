// Runs the pipelines of a package and of its subpackages, as `kpt fn render` does.
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
  /// Put before an image without '/'.
  std::string image_prefix = "ghcr.io/kptdev/krm-functions-catalog/";
  /// Writes status.conditions[Rendered] and status.renderStatus into the root Kptfile, after a
  /// failure too. Off by default: the results of a second render say other things than those of
  /// the first ("already set"), so a package with the status is never quite at rest.
  bool write_status = false;
  /// What a function may hand back. A function is somebody else's program.
  std::size_t max_items = 100'000;
  std::size_t max_bytes = 256u << 20;
};

/// One function of one package, run or tried.
struct FunctionRun {
  std::string image, exec;  // resolved: with prefix and tag
  std::string name;         // as the Kptfile has it
  bool validator = false;
  std::optional<std::size_t> selected;  // how many resources, where it has selectors
  std::vector<krm::FunctionResult> results;
  std::string stderr_text;
  int exit_code = 0;
  std::string error;  // why it was not run, or why its output was refused
  std::chrono::milliseconds took{0};
  bool ran = false;  // it was handed to the runner and gave an answer
  bool ok() const { return exit_code == 0 && error.empty(); }
};

struct PackageRun {
  std::string folder;  // below the root; "" for the root
  std::string name;    // "root/sub"
  std::vector<FunctionRun> functions;
  bool ok = true;
};

struct Rendered {
  /// The package after it; what came in where rendering failed (with
  /// kpt.dev/save-on-render-failure: what was reached before the failure).
  krm::Package package;
  std::vector<krm::Item> items;      // in the order of the last function
  std::vector<PackageRun> packages;  // in the order in which they were met
  /// Why it failed: which package, which function, what is wrong. Empty: all went well.
  std::optional<Error> failure;
  bool breadth_first = false;
  bool saved_on_failure = false;
};

/// Packages are visited depth first, a package after its subpackages, over the resources of the
/// whole subtree; with annotation kpt.dev/bfs-rendering on the root Kptfile breadth first, a
/// package before its subpackages. Within one: mutators in order, each over the output of the one
/// before, then validators, whose output is thrown away.
///
/// Files whose objects did not change keep their bytes; files whose objects are all gone are
/// removed, others are left. A new resource without a path gets NAMESPACE/kind_name.yaml beside the
/// function's config.
///
/// An Error where the package cannot be read (Kptfile, pipeline, YAML): nothing was run. Everything
/// else that goes wrong is `failure` of a Rendered, because the results before it count: look at
/// it. Pure apart from `runner`.
Result<Rendered> render(const krm::Package& package, const FunctionRunner& runner,
                        const Options& options = {});

}  // namespace portico::render
