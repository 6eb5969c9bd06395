#include "api/kinds.h"
#include "cli/commands.h"
#include "kinds/definitions.h"
#include "kinds/explain.h"
#include "resources/resources.h"

namespace portico::cli {

Result<std::optional<std::string>> explained_kind(const ExplainOptions& options) {
  std::vector<std::string_view> path;
  for (std::string_view rest = options.name;;) {
    const std::size_t dot = std::min(rest.find('.'), rest.size());
    path.push_back(rest.substr(0, dot));
    if (dot == rest.size()) break;
    rest.remove_prefix(dot + 1);
  }
  const auto kind = resources::find_kind(path.front(), {});
  const resources::Resource* resource = kind ? resources::find(*kind) : nullptr;
  if (resource == nullptr) return std::optional<std::string>();
  const std::string version(resource->versions.front());
  const json::Value& schema = kinds::schema_of(kind->kind, version);
  if (schema.is_null())
    return invalid("there is no description of the fields of {}", resource->plural);
  path.erase(path.begin());
  PORTICO_TRY(std::string text,
              kinds::explain({kind->group, kind->kind, version}, schema, path, options.recursive));
  return std::optional(std::move(text));
}

}  // namespace portico::cli
