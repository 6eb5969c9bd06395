#include "krm/equal.h"

#include <algorithm>

#include "krm/internal/to_tree.h"

namespace portico::krm {

bool is_krm_path(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return name == "Kptfile" || name.ends_with(".yaml") || name.ends_with(".yml");
}

bool equal(const Object& a, const Object& b) { return same_value(a.value(), b.value()); }

bool equal_files(std::string_view path, const File& a, const File& b) {
  if (a == b) return true;
  if (a.mode != b.mode || a.mode == FileMode::kSymlink || !is_krm_path(path)) return false;
  const auto objects_a = a.objects();
  const auto objects_b = b.objects();
  if (!objects_a || !objects_b) return false;
  return std::equal(objects_a->begin(), objects_a->end(), objects_b->begin(), objects_b->end(),
                    [](const Object& x, const Object& y) { return equal(x, y); });
}

bool equal(const Package& a, const Package& b) {
  return std::equal(a.files.begin(), a.files.end(), b.files.begin(), b.files.end(),
                    [](const auto& x, const auto& y) {
                      return x.first == y.first && equal_files(x.first, x.second, y.second);
                    });
}

}  // namespace portico::krm
