#include <algorithm>

#include "api/kinds.h"
#include "base/spelling.h"
#include "cli/definitions.h"
#include "cli/described_kinds.h"
#include "cli/explained_kind.h"
#include "kinds/explain.h"
#include "resources/resources.h"
#include "resources/type_names.h"

namespace portico::cli {

using json::Value;

namespace {

std::vector<std::string_view> parts_of(std::string_view name) {
  std::vector<std::string_view> out;
  for (;;) {
    const std::size_t dot = std::min(name.find('.'), name.size());
    out.push_back(name.substr(0, dot));
    if (dot == name.size()) return out;
    name.remove_prefix(dot + 1);
  }
}

std::optional<krm::GroupKind> kind_called(std::string_view word,
                                          const std::vector<Value>& definitions) {
  if (auto kind = resources::find_kind(word, {})) return *std::move(kind);
  return resources::defined_kind(word, definitions);
}

}  // namespace

Result<std::optional<std::string>> explained_kind(const ExplainOptions& options,
                                                  const registry::Registry* registry) {
  std::vector<std::string_view> path = parts_of(options.name);
  std::vector<Value> definitions;
  if (registry != nullptr && !resources::find_kind(path.front(), {})) {
    PORTICO_TRY(definitions, all_definitions(*registry));
  }
  const auto kind = kind_called(path.front(), definitions);
  if (!kind) return std::optional<std::string>();
  const Value definition = definition_of(*kind, definitions);
  const DescribedKind found =
      definition.is_null() ? described_kind(*kind) : described_kind(*kind, definition);
  if (found.schema.is_null())
    return invalid("no field descriptions for {}", resources::plural(*kind));
  path.erase(path.begin());
  PORTICO_TRY(std::string text, kinds::explain(found.what, found.schema, path, options.recursive));
  return std::optional(std::move(text));
}

Error nothing_to_explain(const std::string& name, const std::string& ns,
                         const registry::Registry& registry) {
  std::vector<std::string> words = resources::type_names();
  if (const auto definitions = all_definitions(registry))
    for (const Value& each : *definitions)
      for (const char* form : {"plural", "singular"})
        words.emplace_back(each["spec"]["names"][form].as_string());
  if (const auto variants = registry.list({.type = api::variant_kind(), .ns = ns}))
    for (const Value& each : variants->objects) words.emplace_back(krm::name_of(each));
  const std::string first(parts_of(name).front());
  const std::vector<std::string_view> known(words.begin(), words.end());
  std::string nearest = hint(first, known);
  if (nearest.empty()) nearest = hint(name, known);
  return not_found("no PackageVariant \"{}\" in namespace \"{}\", and no resource type \"{}\"{}",
                   name, ns, first, nearest);
}

}  // namespace portico::cli
