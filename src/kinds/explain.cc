#include "kinds/explain.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/spelling.h"

namespace portico::kinds {
namespace {

using json::Value;

constexpr std::size_t kWidth = 80;
constexpr int kMostDepth = 32;

// The schema of the elements of nested lists and maps; any other schema itself.
const Value& inside(const Value& schema) {
  const Value* at = &schema;
  for (int i = 0; i < kMostDepth; ++i) {
    const Value& items = (*at)["items"];
    const Value& values = (*at)["additionalProperties"];
    if (items.is_object())
      at = &items;
    else if (values.is_object())
      at = &values;
    else
      break;
  }
  return *at;
}

std::string type_of(const Value& schema, int depth = 0) {
  if (depth > kMostDepth) return "Object";
  if (schema["items"].is_object()) return "[]" + type_of(schema["items"], depth + 1);
  if (schema["additionalProperties"].is_object())
    return "map[string]" + type_of(schema["additionalProperties"], depth + 1);
  if (schema["x-kubernetes-int-or-string"].as_bool()) return "IntOrString";
  const std::string_view type = schema["type"].as_string();
  return type.empty() || type == "object" ? "Object" : std::string(type);
}

std::string wrapped(std::string_view text, std::size_t indent) {
  const std::string margin(indent, ' ');
  std::string out, line;
  const auto end_line = [&] {
    if (!line.empty()) out += margin + line + "\n";
    line.clear();
  };
  while (!text.empty()) {
    const std::size_t blank = std::min(text.find_first_of(" \n"), text.size());
    const std::string_view word = text.substr(0, blank);
    if (indent + line.size() + 1 + word.size() > kWidth) end_line();
    if (!word.empty()) line += (line.empty() ? "" : " ") + std::string(word);
    text.remove_prefix(std::min(blank + 1, text.size()));
  }
  end_line();
  return out;
}

// Allowed values and the default.
std::string limits_of(const Value& schema, std::size_t indent) {
  const std::string margin(indent, ' ');
  std::string out;
  const Value& values = schema["enum"];
  std::vector<std::string> words;
  for (const Value& value : values.items()) words.emplace_back(value.as_string());
  if (!words.empty()) out += fmt::format("{}enum: {}\n", margin, fmt::join(words, ", "));
  if (const Value* other = schema.find("default"); other != nullptr && other->is_string())
    out += fmt::format("{}default: {}\n", margin, other->as_string());
  return out;
}

bool is_required(const Value& schema, std::string_view name) {
  const auto all = schema["required"].items();
  return std::any_of(all.begin(), all.end(),
                     [&](const Value& one) { return one.as_string() == name; });
}

void list_fields(const Value& schema, bool recursive, std::size_t indent, int depth,
                 std::string& out) {
  if (depth > kMostDepth) return;
  for (const json::Member& field : schema["properties"].members()) {
    out +=
        fmt::format("{}{}\t<{}>{}\n", std::string(indent, ' '), field.name(), type_of(field.value),
                    is_required(schema, field.name()) ? " -required-" : "");
    if (recursive) {
      list_fields(inside(field.value), true, indent + 2, depth + 1, out);
      continue;
    }
    out += limits_of(field.value, indent + 2);
    out += wrapped(field.value["description"].as_string(), indent + 2);
    out += "\n";
  }
}

std::vector<std::string_view> names_of(const Value& schema) {
  std::vector<std::string_view> out;
  for (const json::Member& field : schema["properties"].members()) out.push_back(field.name());
  return out;
}

Result<const Value*> field_at(const Value& schema, const std::vector<std::string_view>& path) {
  const Value* at = &schema;
  std::string place;
  for (const std::string_view name : path) {
    const Value& holder = inside(*at);
    const Value* next = holder["properties"].find(name);
    if (next == nullptr)
      return invalid("field \"{}\" does not exist{}{}", name,
                     place.empty() ? "" : fmt::format(" in {}", place),
                     hint(name, names_of(holder)));
    place += fmt::format("{}{}", place.empty() ? "" : ".", name);
    at = next;
  }
  return at;
}

}  // namespace

Result<std::string> explain(const Explained& what, const Value& schema,
                            const std::vector<std::string_view>& path, bool recursive) {
  PORTICO_TRY(const Value* field, field_at(schema, path));
  std::string out;
  if (!what.group.empty()) out += fmt::format("GROUP:      {}\n", what.group);
  out += fmt::format("KIND:       {}\nVERSION:    {}\n\n", what.kind, what.version);
  if (!path.empty())
    out += fmt::format("FIELD: {} <{}>\n{}\n", path.back(), type_of(*field), limits_of(*field, 4));
  const std::string_view told = (*field)["description"].as_string();
  out += "DESCRIPTION:\n" + (told.empty() ? std::string("    <none>\n") : wrapped(told, 4));
  const Value& holder = inside(*field);
  if (holder["properties"].empty()) return out;
  out += "\nFIELDS:\n";
  list_fields(holder, recursive, 2, 0, out);
  while (out.ends_with("\n\n")) out.pop_back();
  return out;
}

std::vector<std::string> fields_below(const Value& schema,
                                      const std::vector<std::string_view>& path) {
  const auto field = field_at(schema, path);
  if (!field) return {};
  const auto names = names_of(inside(**field));
  return {names.begin(), names.end()};
}

}  // namespace portico::kinds
