#include "package/provenance.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "json/text.h"
#include "merge/merge_key.h"

namespace portico::package {

using json::Value;
using Kind = FieldStep::Kind;

namespace {

constexpr std::string_view kForm = "[FILE:]KIND[.GROUP]/[NAMESPACE/]NAME:PATH";

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> out;
  for (std::size_t at = 0;;) {
    const std::size_t end = text.find(separator, at);
    out.emplace_back(text.substr(at, end - at));
    if (end == std::string_view::npos) return out;
    at = end + 1;
  }
}

// The end of the bracket that opens before `at`; quotes may contain brackets.
std::size_t bracket_end(std::string_view path, std::size_t at) {
  for (bool quoted = false; at < path.size(); ++at) {
    if (quoted && path[at] == '\\') {
      ++at;
    } else if (path[at] == '"') {
      quoted = !quoted;
    } else if (path[at] == ']' && !quoted) {
      return at;
    }
  }
  return std::string_view::npos;
}

Result<FieldStep> bracket_step(std::string_view inside) {
  FieldStep out;
  if (inside.starts_with('"')) {
    PORTICO_TRY(const Value name, json::parse(inside));
    out.name = name.as_string();
    return out;
  }
  const auto [end, failed] =
      std::from_chars(inside.data(), inside.data() + inside.size(), out.index);
  if (failed == std::errc() && end == inside.data() + inside.size()) {
    out.kind = Kind::kIndex;
    return out;
  }
  out.kind = Kind::kItem;
  for (const std::string& each : split(inside, ',')) {
    const std::size_t equals = each.find('=');
    if (equals == 0 || equals == std::string::npos)
      return invalid("invalid list item \"[{}]\": use [0] or [name=web]", inside);
    out.keys.emplace_back(each.substr(0, equals), each.substr(equals + 1));
  }
  return out;
}

Result<std::vector<FieldStep>> parse_path(std::string_view path) {
  std::vector<FieldStep> out;
  for (std::size_t at = 0; at < path.size();) {
    if (path[at] == '[') {
      const std::size_t end = bracket_end(path, at);
      if (end == std::string_view::npos) return invalid("path \"{}\" has a '[' without ']'", path);
      PORTICO_TRY(out.emplace_back(), bracket_step(path.substr(at + 1, end - at - 1)));
      at = end + 1;
      continue;
    }
    if (path[at] == '.' && at > 0) ++at;
    const std::size_t end = std::min(path.find_first_of(".[", at), path.size());
    if (end == at) return invalid("path \"{}\" has an empty name", path);
    out.push_back({Kind::kMember, std::string(path.substr(at, end - at)), 0, {}});
    at = end;
  }
  return out;
}

std::string scalar_text(const Value& value) {
  return value.is_string() ? std::string(value.as_string()) : json::print(value);
}

bool has_keys(const Value& item, const FieldStep& step) {
  return std::all_of(step.keys.begin(), step.keys.end(), [&](const auto& key) {
    const Value* value = item.find(key.first);
    return value != nullptr && scalar_text(*value) == key.second;
  });
}

const Value* next(const Value& at, const FieldStep& step) {
  if (at.is_object()) return step.kind == Kind::kMember ? at.find(step.name) : nullptr;
  if (!at.is_array()) return nullptr;
  if (step.kind == Kind::kIndex) return step.index < at.size() ? &at[step.index] : nullptr;
  for (const Value& item : at.items())
    if (step.kind == Kind::kItem ? has_keys(item, step) : scalar_text(item) == step.name)
      return &item;
  return nullptr;
}

struct Found {
  std::string_view file;
  krm::Object object;
};

std::vector<Found> resources_of(const krm::Package& package) {
  std::vector<Found> out;
  for (const auto& [path, file] : package.files) {
    if (!merge::is_resource_file(path)) continue;
    const auto objects = file.objects();
    if (!objects) continue;
    for (const krm::Object& each : *objects)
      if (each.is_krm()) out.push_back({path, each});
  }
  return out;
}

std::string id_text(const krm::ResourceId& id) {
  return fmt::format("{}{}{}/{}{}{}", id.kind, id.group.empty() ? "" : ".", id.group, id.ns,
                     id.ns.empty() ? "" : "/", id.name);
}

// How well a resource matches; 0: not at all.
int likeness(const Found& found, const PlacedResource& wanted) {
  const krm::ResourceId id = found.object.id(), origin = merge::upstream_identity(found.object);
  if (id.kind != wanted.id.kind || id.group != wanted.id.group) return 0;
  const bool same = id.name == wanted.id.name;
  if (!same && origin.name != wanted.origin.name) return 0;
  return 1 + (found.file == wanted.file ? 8 : 0) + (same ? 4 : 0) +
         (origin == wanted.origin ? 2 : 0) + (id.ns == wanted.id.ns ? 1 : 0);
}

std::optional<krm::Object> version_in(const krm::Package& package, const PlacedResource& resource) {
  std::optional<krm::Object> best;
  int most = 0;
  for (const Found& each : resources_of(package))
    if (const int like = likeness(each, resource); like > most) {
      most = like;
      best = each.object;
    }
  return best;
}

void append(std::vector<Candidate>& changes, const Candidate& next) {
  const auto& before = changes.empty() ? std::optional<Value>() : changes.back().value;
  if (before != next.value) changes.push_back(next);
}

}  // namespace

Result<FieldName> parse_field(std::string_view text) {
  FieldName out;
  // The path may contain colons; the part before it contains a slash.
  const std::size_t first = text.find(':'), slash = text.find('/');
  if (first == std::string_view::npos || slash == std::string_view::npos)
    return invalid("field \"{}\" is not of the form {}", text, kForm);
  std::string_view rest = text;
  const std::size_t second = text.find(':', first + 1);
  const auto is_resource = [](std::string_view part) {
    return part.find('/') != std::string_view::npos &&
           part.find_first_of("[\"") == std::string_view::npos;
  };
  const bool resource_first = is_resource(text.substr(0, first)) &&
                              (second == std::string_view::npos ||
                               !is_resource(text.substr(first + 1, second - first - 1)));
  if (!resource_first) {
    out.file = text.substr(0, first);
    rest = text.substr(first + 1);
  }
  const std::size_t colon = rest.find(':');
  if (colon == std::string_view::npos || colon + 1 == rest.size())
    return invalid("field \"{}\" is not of the form {}", text, kForm);
  const std::vector<std::string> parts = split(rest.substr(0, colon), '/');
  const bool named = parts.size() == 2 || parts.size() == 3;
  if (!named || std::any_of(parts.begin(), parts.end(), [](auto& part) { return part.empty(); }))
    return invalid("resource \"{}\" is not of the form KIND[.GROUP]/[NAMESPACE/]NAME",
                   rest.substr(0, colon));
  const std::size_t dot = parts[0].find('.');
  out.kind = parts[0].substr(0, dot);
  if (dot != std::string::npos) out.group = parts[0].substr(dot + 1);
  if (parts.size() == 3) out.ns = parts[1];
  out.name = parts.back();
  out.path_text = rest.substr(colon + 1);
  PORTICO_TRY(out.path, parse_path(out.path_text));
  return out;
}

Result<PlacedResource> find_resource(const krm::Package& package, const FieldName& field) {
  if (!field.file.empty() && package.find(field.file) == nullptr) {
    std::vector<std::string_view> files;
    for (const auto& [path, file] : package.files)
      if (merge::is_resource_file(path)) files.push_back(path);
    return not_found("file \"{}\" not found; files: {}", field.file, fmt::join(files, ", "));
  }
  std::vector<Found> found;
  std::vector<std::string> there;
  for (Found& each : resources_of(package)) {
    if (!field.file.empty() && each.file != field.file) continue;
    const krm::ResourceId id = each.object.id();
    there.push_back(field.file.empty() ? fmt::format("{}:{}", each.file, id_text(id))
                                       : id_text(id));
    const bool meant = id.kind == field.kind && id.name == field.name &&
                       (field.group.empty() || id.group == field.group) &&
                       (field.ns.empty() || id.ns == field.ns);
    if (meant) found.push_back(std::move(each));
  }
  const std::string wanted = id_text({field.group, field.kind, field.ns, field.name});
  if (found.empty())
    return not_found("{}{} not found; resources: {}", field.file.empty() ? "" : field.file + ": ",
                     wanted, fmt::join(there, ", "));
  if (found.size() > 1) {
    std::vector<std::string> meant;
    for (const Found& each : found)
      meant.push_back(fmt::format("{}:{}", each.file, id_text(each.object.id())));
    return invalid("{} is ambiguous: it matches {}; specify which", wanted,
                   fmt::join(meant, " or "));
  }
  const krm::Object& object = found.front().object;
  return PlacedResource{std::string(found.front().file), object.id(),
                        merge::upstream_identity(object)};
}

std::optional<Value> value_in(const krm::Package& package, const PlacedResource& resource,
                              const FieldName& field) {
  const auto object = version_in(package, resource);
  if (!object) return std::nullopt;
  const Value* at = &object->value();
  for (const FieldStep& step : field.path)
    if (at = next(*at, step); at == nullptr) return std::nullopt;
  return *at;
}

std::string missing_field(const krm::Package& package, const PlacedResource& resource,
                          const FieldName& field) {
  const auto object = version_in(package, resource);
  if (!object) return fmt::format("{} not found", id_text(resource.id));
  const Value* at = &object->value();
  for (const FieldStep& step : field.path) {
    const Value* below = next(*at, step);
    if (below == nullptr) break;
    at = below;
  }
  std::vector<std::string> there;
  if (at->is_object())
    for (const json::Member& member : at->members()) there.emplace_back(member.name());
  if (at->is_array())
    for (const Value& item : at->items()) {
      const Value* name = item.find("name");
      there.push_back(item.is_object() && name != nullptr
                          ? fmt::format("[name={}]", scalar_text(*name))
                          : fmt::format("[{}]", there.size()));
    }
  return fmt::format("{} {} has no field {}; found {}", resource.file, id_text(resource.id),
                     field.path_text,
                     there.empty() ? "nothing" : fmt::format("{}", fmt::join(there, ", ")));
}

FieldHistory field_history(std::span<const Candidate> build,
                           const std::optional<Candidate>& recorded,
                           std::span<const Candidate> commits, const std::optional<Value>& value) {
  FieldHistory out;
  for (const Candidate& each : build) append(out.changes, each);
  if (recorded) append(out.changes, *recorded);
  const auto built = out.changes.empty() ? std::optional<Value>() : out.changes.back().value;
  if (built == value) return out;
  out.edited = true;
  // Only the last run of commits with this value counts: earlier ones may just show the build's
  // value at their time.
  std::size_t from = commits.size();
  while (from > 0 && commits[from - 1].value == value) --from;
  if (from < commits.size()) append(out.changes, commits[from]);
  return out;
}

}  // namespace portico::package
