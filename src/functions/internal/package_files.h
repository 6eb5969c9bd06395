// Where the items of a list lie in their package.
#pragma once

#include <string>
#include <string_view>

#include "krm/resource_list.h"

namespace portico::functions {

/// Path below the root package.
std::string full_path(const krm::Item& item);

/// `file`, a relative path, in the folder of the file `other`.
std::string path_beside(std::string_view other, std::string_view file);

/// Folder of a file; "" for the root.
std::string_view folder_of(std::string_view path);

/// Kptfile.kpt.dev, any version.
bool is_kptfile(const krm::Object& object);

}  // namespace portico::functions
