// What the fn commands share: the folder they work on, and where their output goes.
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
  std::string path;  // links resolved
  std::string name;  // its own
  krm::Package package;
};

/// The folder's files. A folder that is named by a symbolic link is resolved, with kpt's warning.
Result<FnFolder> open_fn_folder(const std::string& dir, Terminal& terminal);

/// "stdout" and "unwrap" mean text on standard output; "" the folder itself.
bool is_text_output(std::string_view output);

/// Checks --output and makes the folder for results, before anything is run.
Result<Done> prepare_output(const std::string& output, const std::string& results_dir);

/// Writes the items as `output` says: as a ResourceList, as documents, or into a new folder.
Result<Done> write_items(const std::string& output, const std::vector<krm::Item>& items,
                         Terminal& terminal,
                         render::HeadComments comments = render::HeadComments::kInFront);

/// results.yaml in the folder, and the line that says so; nothing for "".
Result<Done> write_results(const std::string& results_dir, const render::Rendered& rendered,
                           Terminal& terminal);

}  // namespace portico::cli
