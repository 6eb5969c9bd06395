// What a function hands back, checked and put in its place.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "render/internal/tree.h"
#include "render/render.h"

namespace portico::render {

/// Where an answer belongs.
struct AnswerContext {
  const std::vector<krm::Item>& before;      // the package's list before the function
  const std::vector<std::size_t>& selected;  // positions in `before` that it was given
  bool selective;                            // it has selectors
  std::string_view package;                  // folder of the package whose pipeline runs
  std::string_view config_folder;            // folder of the function's config in that package
  const krm::Package& files;                 // all files of the root package
  const Originals& originals;                // those that hold resources
  const Options& options;
  bool keeps_kptfile;  // an answer without the root Kptfile is refused
};

/// kpt's path for a resource without one: the kind and name in lower case, in a folder of the
/// namespace below `folder`.
std::string default_path(const krm::Object& object, std::string_view folder);

/// The item's path, clean; kInvalid where it leaves the package or is inside of .git.
Result<std::string> checked_path(const krm::Item& item);

/// The package's list after the function. A function is somebody else's program: paths that leave
/// the package, touch .git or a file that holds no resources, two resources in one place, a second
/// resource of one identity, a vanished root Kptfile and output beyond the limits are kInvalid,
/// each with the object's name.
Result<std::vector<krm::Item>> accept_answer(std::vector<krm::Item> answer,
                                             const AnswerContext& context);

}  // namespace portico::render
