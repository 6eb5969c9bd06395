// Shared by the fn commands: the input folder, and where the output goes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/context.h"
#include "krm/package.h"
#include "krm/resource_list.h"
#include "render/render.h"
#include "render/stream.h"

namespace portico::cli {

struct FnFolder {
  std::string path;  // symbolic links resolved
  std::string name;  // the last part of the path
  krm::Package package;
};

/// Reads the folder. If `dir` is a symbolic link it is resolved, with kpt's warning, which says
/// that links in the folder are ignored. Otherwise a warning has the number of links in the folder,
/// if any.
Result<FnFolder> open_fn_folder(const std::string& dir, Terminal& terminal);

/// "stdout" and "unwrap" mean text on standard output; "" means the folder itself.
bool is_text_output(std::string_view output);

/// Checks --output and creates the results folder before any function runs.
Result<Done> prepare_output(const std::string& output, const std::string& results_dir);

/// Writes the items as specified by `output`: as a ResourceList, as documents, or into a new
/// folder.
Result<Done> write_items(const std::string& output, const std::vector<krm::Item>& items,
                         Terminal& terminal,
                         render::HeadComments comments = render::HeadComments::kInFront);

/// Writes results.yaml into the folder and prints a line about it; no-op for "".
Result<Done> write_results(const std::string& results_dir, const render::Rendered& rendered,
                           Terminal& terminal);

}  // namespace portico::cli
