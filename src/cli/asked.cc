#include "cli/asked.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "base/spelling.h"
#include "cli/definitions.h"
#include "jsonpath/path.h"
#include "kinds/definitions.h"
#include "resources/resources.h"

namespace portico::cli {

using json::Value;

namespace {

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> out;
  for (;;) {
    const std::size_t end = text.find(at);
    out.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return out;
    text.remove_prefix(end + 1);
  }
}

struct FieldTerm {
  std::vector<std::string> path;
  std::string value;
  bool equal = true;

  bool matches(const Value& object) const {
    const Value* at = &object;
    for (const std::string& member : path) at = &(*at)[member];
    return ((at->is_null() ? "" : jsonpath::text_of(*at)) == value) == equal;
  }
};

Result<std::vector<FieldTerm>> parse_fields(std::string_view text) {
  std::vector<FieldTerm> out;
  if (text.empty()) return out;
  for (const std::string_view term : split(text, ',')) {
    const std::size_t equals = term.find('=');
    if (equals == std::string_view::npos || equals == 0)
      return invalid("field selector \"{}\" is not FIELD=VALUE or FIELD!=VALUE", term);
    const bool unequal = term[equals - 1] == '!', twice = term.substr(equals).starts_with("==");
    const auto path = split(term.substr(0, equals - (unequal ? 1 : 0)), '.');
    out.push_back(
        {{path.begin(), path.end()}, std::string(term.substr(equals + (twice ? 2 : 1))), !unequal});
  }
  return out;
}

// The kinds that a word names; kinds with definitions are matched by all their names.
Result<std::vector<krm::GroupKind>> kinds_of(std::string_view word,
                                             const registry::Registry& registry,
                                             const std::vector<krm::GroupKind>& present) {
  if (word == "all") return resources::kinds_of_all();
  auto kind = resources::find_kind(word, present);
  if (kind) return std::vector{*std::move(kind)};
  // If the definitions cannot be read, only the kinds' own names match.
  if (const auto definitions = all_definitions(registry))
    if (auto defined = resources::defined_kind(word, *definitions))
      return std::vector{*std::move(defined)};
  return std::move(kind).error();
}

// Checks a field path against a schema, as deep as the schema describes it.
Result<Done> check_path(const FieldTerm& term, const Value& schema, const krm::GroupKind& kind) {
  const Value* at = &schema;
  std::string above;
  for (const std::string& member : term.path) {
    const Value& properties = (*at)["properties"];
    if (!properties.is_object()) return Done{};
    at = properties.find(member);
    if (at == nullptr) {
      std::vector<std::string_view> known;
      for (const json::Member& each : properties.members()) known.push_back(each.name());
      return invalid("{} have no field \"{}{}\"{}; {} has {}", resources::plural(kind), above,
                     member, hint(member, known),
                     above.empty() ? "the object" : above.substr(0, above.size() - 1),
                     fmt::join(known, ", "));
    }
    above += member + ".";
  }
  return Done{};
}

}  // namespace

Result<Done> check_fields(const std::string& fields, const krm::GroupKind& kind) {
  const resources::Resource* resource = resources::find(kind);
  if (fields.empty() || resource == nullptr) return Done{};
  PORTICO_TRY(const auto terms, parse_fields(fields), "--field-selector");
  const Value& schema = kinds::schema_of(kind.kind, resource->versions.front());
  for (const FieldTerm& term : terms)
    PORTICO_DO(check_path(term, schema, kind), "--field-selector");
  return Done{};
}

Result<std::vector<Asked>> asked_of(const std::string& type, const std::vector<std::string>& names,
                                    const registry::Registry& registry) {
  std::vector<Asked> out;
  const std::vector<krm::GroupKind> present = registry.kinds();
  const bool pairs = type.find('/') != std::string::npos;
  if (!pairs) {
    for (const std::string_view one : split(type, ',')) {
      PORTICO_TRY(const auto kinds, kinds_of(one, registry, present));
      for (const krm::GroupKind& kind : kinds) out.push_back({kind, names});
    }
  }
  for (std::size_t i = 0; i <= names.size(); ++i) {
    const std::string& word = i == 0 ? type : names[i - 1];
    const std::size_t slash = word.find('/');
    if (!pairs && slash == std::string::npos) continue;
    if (!pairs || slash == std::string::npos || slash + 1 == word.size())
      return invalid(
          "\"{}\" and \"{}\" cannot be combined: use TYPE NAME..., or TYPE/NAME for each", type,
          word);
    PORTICO_TRY(const auto kinds, kinds_of(word.substr(0, slash), registry, present));
    const krm::GroupKind& kind = kinds.front();
    if (out.empty() || out.back().kind != kind) out.push_back({kind, {}});
    out.back().names.push_back(word.substr(slash + 1));
  }
  return out;
}

Result<std::function<bool(const Value&)>> field_matcher(const std::string& fields) {
  PORTICO_TRY(const auto terms, parse_fields(fields), "--field-selector");
  return std::function<bool(const Value&)>([terms](const Value& object) {
    return std::all_of(terms.begin(), terms.end(),
                       [&](const FieldTerm& field) { return field.matches(object); });
  });
}

Result<std::vector<Value>> find_objects(const registry::Registry& registry, const Asked& asked,
                                        const Selection& selection) {
  if (!asked.names.empty() && !(selection.labels.empty() && selection.fields.empty()))
    return invalid("names cannot be provided when a selector is specified");
  std::vector<Value> out;
  for (const std::string& name : asked.names) {
    auto object = registry.get({asked.kind, selection.ns, name});
    if (!object && object.error().code == Code::kNotFound)
      return not_found("{} \"{}\" not found in namespace \"{}\"", resources::plural(asked.kind),
                       name, selection.ns);
    if (!object) return std::move(object).error();
    out.push_back(*std::move(object));
  }
  if (!asked.names.empty()) return out;
  PORTICO_DO(check_fields(selection.fields, asked.kind));
  PORTICO_TRY(auto labels, krm::LabelSelector::parse(selection.labels), "-l");
  PORTICO_TRY(const auto fields, parse_fields(selection.fields), "--field-selector");
  PORTICO_TRY(registry::Listing all,
              registry.list({.type = asked.kind, .ns = selection.ns, .labels = std::move(labels)}));
  std::erase_if(all.objects, [&](const Value& object) {
    return !std::all_of(fields.begin(), fields.end(),
                        [&](const FieldTerm& field) { return field.matches(object); });
  });
  return std::move(all.objects);
}

Result<std::string> plain_name(const std::string& written, const krm::GroupKind& kind) {
  const std::size_t slash = written.find('/');
  if (slash == std::string::npos) return written;
  PORTICO_TRY(const auto named, resources::find_kind(written.substr(0, slash), {}));
  if (named != kind)
    return invalid("\"{}\" is one of the {}, not one of the {}", written, resources::plural(named),
                   resources::plural(kind));
  return written.substr(slash + 1);
}

}  // namespace portico::cli
