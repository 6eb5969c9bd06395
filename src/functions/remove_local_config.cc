#include "functions/remove_local_config.h"

#include <algorithm>

#include "functions/internal/fields.h"
#include "functions/internal/outcome.h"

namespace portico::functions {

namespace {

bool is_local(const krm::Object& object) {
  std::string text =
      scalar_text(object.value()["metadata"]["annotations"]["config.kubernetes.io/local-config"]);
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text == "true";
}

}  // namespace

Outcome remove_local_config_resources(krm::ResourceList list) {
  std::vector<krm::FunctionResult> removed;
  std::erase_if(list.items, [&](const krm::Item& item) {
    if (!is_local(item.object)) return false;
    krm::FunctionResult result = info(fmt::format("Resource name: [{}]", item.object.name()));
    result.file = item.file;
    result.index = std::max(item.index, 0);
    removed.push_back(std::move(result));
    return true;
  });
  if (removed.empty()) {
    list.results.push_back(info("Found no resources to prune with the local config annotation"));
    list.results.back().severity = "warning";
    return done(std::move(list));
  }
  list.results.push_back(info(fmt::format("Number of resources pruned: {}", removed.size())));
  for (krm::FunctionResult& result : removed) list.results.push_back(std::move(result));
  return done(std::move(list));
}

}  // namespace portico::functions
