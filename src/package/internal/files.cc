#include "package/internal/files.h"

#include "package/kptfile.h"

namespace portico::package::internal {

std::string_view base_name(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::string_view folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

std::string join(std::string_view folder, std::string_view name) {
  if (folder.empty() || name.empty()) return std::string(folder.empty() ? name : folder);
  return std::string(folder) + "/" + std::string(name);
}

bool is_resource_file(std::string_view path) {
  const std::string_view name = base_name(path);
  return name == kKptfile || name.ends_with(".yaml") || name.ends_with(".yml") ||
         name.ends_with(".json");
}

}  // namespace portico::package::internal
