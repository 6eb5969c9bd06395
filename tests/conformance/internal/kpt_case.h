// Reads, runs and compares cases of the suites render, functions and fn-eval (the README of the
// render suite is the specification).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/suite.h"
#include "conformance/support.h"
#include "json/value.h"
#include "krm/package.h"
#include "krm/resource_list.h"
#include "render/render.h"

namespace portico::conformance {

struct KptCase {
  std::string name;
  std::filesystem::path folder;
  json::Value meta;  // case.yaml
  Tree input, expected;

  bool compares(std::string_view what) const { return meta["compare"].contains(what); }
  std::string file(std::string_view path) const;  // "" if it does not exist
};

Result<KptCase> read_case(const std::filesystem::path& data, const std::filesystem::path& folder);

/// Why the case cannot be run here: a function that is not built in, or a missing feature.
std::optional<std::string> reason_to_skip(const KptCase& one);

krm::Package to_package(const Tree& tree);
Tree to_tree(const krm::Package& package);

/// What kpt would have left behind.
struct KptRun {
  Tree tree;
  bool success = true;
  std::string stderr_text;
  std::optional<std::string> stdout_text;             // of the program, if it was run
  std::string results;                                // the results file's text
  std::vector<krm::FunctionResult> function_results;  // of all functions, in order
};

/// From the result of rendering; `keep_tree` is the tree to report if rendering failed to start.
KptRun to_run(Result<render::Rendered> rendered, const Tree& keep_tree);

/// Skips a case of kpt's command line, or runs and compares it. A single `kpt fn render` or `kpt fn
/// eval` runs in this process if that covers all compared output; otherwise the program runs.
CaseResult run_kpt_case(const KptCase& one);

/// All differences between expected and actual outcome; "" for none.
std::string differences(const KptCase& one, const KptRun& run);

/// `text` with every block sequence moved to the column of its key, without surrounding white
/// space.
std::string modulo_sequence_indent(std::string_view text);

}  // namespace portico::conformance
