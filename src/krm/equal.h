// KRM equality: the same resources, regardless of comments, quoting, layout and key order.
#pragma once

#include <string_view>

#include "krm/object.h"
#include "krm/package.h"

namespace portico::krm {

/// The files that kpt reads as resources: *.yaml, *.yml and Kptfile, in any folder.
bool is_krm_path(std::string_view path);

bool equal(const Object& a, const Object& b);

/// The same files with the same modes. Files that kpt reads as resources are compared document by
/// document, unless one of the two does not parse; all other files are compared byte by byte.
bool equal(const Package& a, const Package& b);

/// Compares two versions of the file at `path` by the same rules.
bool equal_files(std::string_view path, const File& a, const File& b);

}  // namespace portico::krm
