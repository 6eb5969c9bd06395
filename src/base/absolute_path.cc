#include "base/absolute_path.h"

#include <filesystem>

namespace portico {

Result<std::string> absolute_path(const std::string& path) {
  if (path.empty()) return invalid("path must not be empty");
  std::error_code error;
  const std::filesystem::path whole = std::filesystem::absolute(path, error);
  if (error)
    return unavailable("cannot resolve path \"{}\": cannot get the current directory: {}", path,
                       error.message());
  std::string clean = whole.lexically_normal().generic_string();
  while (clean.size() > 1 && clean.ends_with('/')) clean.pop_back();
  return clean;
}

}  // namespace portico
