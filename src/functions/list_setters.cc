#include "functions/list_setters.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "functions/catalog.h"
#include "functions/internal/config.h"
#include "functions/internal/fields.h"
#include "functions/internal/lists.h"
#include "functions/internal/outcome.h"
#include "functions/internal/plain_text.h"
#include "functions/internal/setter_pattern.h"
#include "krm/kptfile.h"

namespace portico::functions {

namespace {

struct Setter {
  std::string value, type;
  std::size_t count = 0;
};
using Found = std::map<std::string, Setter>;

std::string type_of(const std::string& text) {
  const json::Value value = resolved(text);
  if (value.is_null()) return "null";
  if (value.is_bool()) return "bool";
  if (!value.is_number()) return "str";
  return value.type() == json::Value::Type::kDouble ? "float" : "int";
}

std::vector<std::string> list_texts(const krm::Object& object, const krm::Path& path,
                                    const json::Value& list) {
  std::vector<std::string> values;
  for (std::size_t i = 0; i < list.size(); ++i) {
    krm::Path at = path;
    at.emplace_back(i);
    values.push_back(text_at(object, at).value_or(""));
  }
  return values;
}

void declare(Found& found, const std::string& name, const std::string& text) {
  const auto parsed = krm::Object::parse(text);
  if (parsed && parsed->value().is_array()) {
    const auto values = list_texts(*parsed, {}, parsed->value());
    found[name] = {fmt::format("[{}]", fmt::join(values, ", ")), "array", 0};
  } else {
    found[name] = {text, type_of(text), 0};
  }
}

/// The data of a function's configMap, with each scalar as written.
void declare_config_map(Found& found, const krm::Object& kptfile, krm::Path path,
                        const json::Value& map) {
  for (const json::Member& member : map.members()) {
    path.emplace_back(std::string(member.name()));
    if (const auto text = text_at(kptfile, path)) declare(found, std::string(member.name()), *text);
    path.pop_back();
  }
}

/// Strict, like kpt and the catalog. An older Kptfile has another format; only the parts that it
/// shares with the current one are read.
Result<Done> check_kptfile(const krm::Object& object) {
  if (object.api_version() != "kpt.dev/v1") return Done{};
  PORTICO_TRY(const krm::Kptfile kptfile, krm::Kptfile::decode(object));
  if (kptfile.unknown_fields.empty()) return Done{};
  return invalid("unknown field \"{}\"", kptfile.unknown_fields.front());
}

Result<Done> declared_setters(Found& found, const std::vector<krm::Item>& items) {
  for (const krm::Item& item : items) {
    if (item.object.kind() != "Kptfile" || item.file != "Kptfile" || !item.package.empty())
      continue;
    PORTICO_DO(check_kptfile(item.object), "unable to read Kptfile");
    const json::Value& mutators = item.object.value()["pipeline"]["mutators"];
    for (std::size_t i = 0; i < mutators.items().size(); ++i) {
      const json::Value& function = mutators.items()[i];
      if (image_name(function["image"].as_string()).base != "apply-setters") continue;
      declare_config_map(
          found, item.object,
          {std::string("pipeline"), std::string("mutators"), i, std::string("configMap")},
          function["configMap"]);
      const std::string path = scalar_text(function["configPath"]);
      for (const krm::Item& config : items)
        if (!path.empty() && config.package.empty() && config.file == path)
          for (const auto& [name, text] : texts(config.object, "data")) declare(found, name, text);
    }
  }
  return Done{};
}

void count(Found& found, const std::string& name, const std::string& value,
           const std::string& type) {
  ++found.emplace(name, Setter{value, type, 0}).first->second.count;
}

void used_setters(Found& found, const krm::Object& object) {
  if (object.text().find("kpt-set:") == std::string::npos) return;
  visit_lists(object,
              [&](const krm::Path& path, const json::Value& list, const std::string& comment) {
                const auto pattern = setter_pattern(comment);
                const auto name = pattern ? only_setter(*pattern) : std::nullopt;
                if (!name) return;
                auto values = list_texts(object, path, list);
                std::sort(values.begin(), values.end());
                count(found, *name, fmt::format("[{}]", fmt::join(values, ", ")), "array");
              });
  object.visit_scalars([&](const krm::ScalarRef& scalar) {
    const auto pattern = setter_pattern(scalar.line_comment);
    if (!pattern) return;
    const std::string text = scalar.value.is_string() ? std::string(scalar.value.as_string())
                                                      : std::string(scalar.source);
    for (const auto& [name, value] : derived(*pattern, text))
      count(found, name, value, type_of(value));
  });
}

}  // namespace

Outcome list_setters(krm::ResourceList list) {
  Found found;
  if (auto read = declared_setters(found, list.items); !read)
    return fail_framework(std::move(list), "failed to list setters: " + read.error().text());
  for (const krm::Item& item : list.items) used_setters(found, item.object);
  for (const auto& [name, setter] : found) {
    list.results.push_back(plain(fmt::format("Name: {}, Value: {}, Type: {}, Count: {}", name,
                                             setter.value, setter.type, setter.count)));
  }
  if (found.empty()) {
    list.results.push_back(info("no setters found"));
    list.results.back().severity = "warning";
  }
  return done(std::move(list));
}

}  // namespace portico::functions
