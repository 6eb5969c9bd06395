#include "starlark_lib/modules.h"

#include "starlark_lib/internal/libraries.h"

namespace portico::starlark_lib {

namespace {

struct Row {
  std::string_view module, name;
  starlark::Value (*make)(starlark::Heap& heap);
};

constexpr Row kModules[] = {
    {"encoding/base64.star", "base64", base64_module},
    {"encoding/csv.star", "csv", csv_module},
    {"encoding/json.star", "json", json_module},
    {"hash.star", "hash", hash_module},
    {"math.star", "math", math_module},
    {"re.star", "re", re_module},
};

}  // namespace

std::optional<starlark::Members> find_module(starlark::Heap& heap, std::string_view name) {
  for (const Row& row : kModules)
    if (row.module == name) return starlark::Members{{std::string(row.name), row.make(heap)}};
  return std::nullopt;
}

}  // namespace portico::starlark_lib
