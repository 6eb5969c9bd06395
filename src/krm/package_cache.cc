#include "krm/package_cache.h"

namespace portico::krm {

std::size_t bytes_of(const Package& package) {
  std::size_t bytes = 200;
  for (const auto& [path, file] : package.files) bytes += path.size() + file.text().size() + 150;
  return bytes;
}

}  // namespace portico::krm
