// The location of items in their package.
#pragma once

#include <string>
#include <string_view>

#include "krm/resource_list.h"

namespace portico::functions {

/// The path relative to the root package.
std::string full_path(const krm::Item& item);

/// The relative path `file`, resolved in the folder of the file `other`.
std::string path_beside(std::string_view other, std::string_view file);

/// The folder of a file; "" for the root.
std::string_view folder_of(std::string_view path);

/// Kptfile.kpt.dev, any version.
bool is_kptfile(const krm::Object& object);

}  // namespace portico::functions
