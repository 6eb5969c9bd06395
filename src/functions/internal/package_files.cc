#include "functions/internal/package_files.h"

#include "functions/internal/config.h"

namespace portico::functions {

std::string full_path(const krm::Item& item) {
  return item.package.empty() ? item.file : item.package + "/" + item.file;
}

std::string_view folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

std::string path_beside(std::string_view other, std::string_view file) {
  while (file.starts_with("./")) file.remove_prefix(2);
  const std::string_view folder = folder_of(other);
  return folder.empty() ? std::string(file) : std::string(folder) + "/" + std::string(file);
}

bool is_kptfile(const krm::Object& object) {
  return object.kind() == "Kptfile" && group_of(object) == "kpt.dev";
}

}  // namespace portico::functions
