#include "registry/indexed_field.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <span>

namespace portico::registry {
namespace {

constexpr std::string_view kEachItem = "[]";

void collect(const json::Value& value, std::span<const std::string> path,
             std::vector<std::string>& found) {
  if (path.empty()) {
    switch (value.type()) {
      case json::Value::Type::kString:
        found.emplace_back(value.as_string());
        break;
      case json::Value::Type::kBool:
        found.emplace_back(value.as_bool() ? "true" : "false");
        break;
      case json::Value::Type::kInt:
        found.push_back(std::to_string(value.as_int()));
        break;
      default:
        break;
    }
    return;
  }
  if (path[0] == kEachItem) {
    for (const json::Value& item : value.items()) collect(item, path.subspan(1), found);
  } else if (const json::Value* member = value.find(path[0])) {
    collect(*member, path.subspan(1), found);
  }
}

/// Parts are length-prefixed, so that different lists of parts never give the same value.
std::string with_part(const std::string& front, std::string_view part) {
  return front + std::to_string(part.size()) + ":" + std::string(part);
}

}  // namespace

std::string index_value(std::initializer_list<std::string_view> parts) {
  if (parts.size() == 1) return std::string(*parts.begin());
  std::string out;
  for (const std::string_view part : parts) out = with_part(out, part);
  return out;
}

std::optional<std::vector<std::string>> index_parts(std::string_view value, std::size_t count) {
  std::vector<std::string> out;
  if (count == 1) {
    out.emplace_back(value);
    return out;
  }
  while (!value.empty()) {
    std::size_t size = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), size);
    value.remove_prefix(static_cast<std::size_t>(end - value.data()));
    if (error != std::errc() || !value.starts_with(':') || size > value.size() - 1)
      return std::nullopt;
    out.emplace_back(value.substr(1, size));
    value.remove_prefix(1 + size);
  }
  if (out.size() != count) return std::nullopt;
  return out;
}

std::vector<std::string> index_values(const IndexedField& field, const json::Value& object) {
  std::vector<std::string> values = {""};
  for (const std::vector<std::string>& path : field.paths) {
    std::vector<std::string> found;
    collect(object, path, found);
    if (field.paths.size() == 1) {
      values = std::move(found);
      break;
    }
    std::vector<std::string> longer;
    for (const std::string& front : values)
      for (const std::string& part : found) longer.push_back(with_part(front, part));
    values = std::move(longer);
  }
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

Result<Done> validate_indexed_fields(const std::vector<IndexedField>& fields) {
  std::set<std::pair<krm::GroupKind, std::string>> names;
  for (const IndexedField& field : fields) {
    const std::string place = field.type.kind + " index \"" + field.name + "\"";
    if (!names.emplace(field.type, field.name).second)
      return invalid("declared twice; give one of them another name").in(place);
    const auto empty = [](const auto& path) { return path.empty(); };
    if (field.paths.empty() || std::any_of(field.paths.begin(), field.paths.end(), empty))
      return invalid("an index needs at least one path, and no path may be empty").in(place);
    const auto lists = std::count_if(field.paths.begin(), field.paths.end(), [](const auto& path) {
      return std::find(path.begin(), path.end(), kEachItem) != path.end();
    });
    if (lists > 1) return invalid("only one path of an index may have a \"[]\"").in(place);
  }
  return Done{};
}

}  // namespace portico::registry
