// A change of several files in a folder that happens whole or not at all.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "folder/internal/beneath.h"
#include "krm/package.h"

namespace portico::folder {

/// Where a change is staged, in the folder itself, so that a rename is all that is left to do.
inline constexpr const char* kStaging = ".portico-update";

/// Takes the folder for this process until the Beneath goes: kUnavailable where another one has it.
/// Then finishes or drops what a process that died had staged.
Result<Done> take(const Beneath& root);

/// Whether somebody's change is staged.
bool is_staged(const Beneath& root);

/// What is to be done, in paths below the folder.
struct Update {
  std::map<std::string, const krm::File*> writes;
  std::vector<std::string> removals;
};

/// Stages and carries out; the folder was taken. What it fails on leaves everything as it was.
/// Folders that removals leave empty go.
Result<Done> carry_out(const Beneath& root, const Update& update);

}  // namespace portico::folder
