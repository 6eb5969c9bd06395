// Validates and places the output of a function.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "render/internal/tree.h"
#include "render/render.h"

namespace portico::render {

/// The context in which a function's output is validated.
struct AnswerContext {
  const std::vector<krm::Item>& before;      // the package's list before the function
  const std::vector<std::size_t>& selected;  // positions in `before` of its input
  bool selective;                            // it has selectors
  std::string_view package;                  // folder of the package whose pipeline runs
  std::string_view config_folder;            // folder of the function's config in that package
  const krm::Package& files;                 // all files of the root package
  const Originals& originals;                // those that contain resources
  const Options& options;
  bool keeps_kptfile;  // refuse an answer without the root Kptfile
};

/// kpt's default path for a resource: kind and name in lower case, in a folder named after the
/// namespace, below `folder`.
std::string default_path(const krm::Object& object, std::string_view folder);

/// The item's normalized path; kInvalid if it leaves the package or is inside .git.
Result<std::string> checked_path(const krm::Item& item);

/// The package's list after the function. Functions are third-party programs, so these are
/// kInvalid, each with the object's name: paths that leave the package or touch .git or a file
/// without resources, two resources in one place, a second resource with the same identity, a
/// missing root Kptfile, and output beyond the limits.
Result<std::vector<krm::Item>> accept_answer(std::vector<krm::Item> answer,
                                             const AnswerContext& context);

}  // namespace portico::render
