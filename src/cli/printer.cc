#include "cli/printer.h"

#include "cli/terminal.h"
#include "json/text.h"
#include "krm/object.h"
#include "resources/resources.h"
#include "resources/table.h"

namespace portico::cli {

using json::Value;

std::string counted(std::size_t count, std::string_view one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

std::string to_yaml(const Value& value) { return krm::Object::from_value(value).text(); }

Result<std::string> print_objects(const krm::GroupKind& kind, const std::vector<Value>& objects,
                                  const PrintOptions& options, std::string_view now) {
  const auto whole = [&] {
    if (options.one && objects.size() == 1) return objects[0];
    return Value::object({{"apiVersion", "v1"},
                          {"kind", "List"},
                          {"items", Value::array(objects)},
                          {"metadata", Value::object({{"resourceVersion", ""}})}});
  };
  if (options.output == "yaml") return to_yaml(whole());
  if (options.output == "json") return json::print_pretty(whole()) + "\n";
  if (options.output == "name") {
    std::string out;
    for (const Value& object : objects) out += resources::name_line(object) + "\n";
    return out;
  }
  if (!options.output.empty() && options.output != "wide")
    return invalid("unknown output \"{}\"; there are wide, yaml, json and name", options.output);

  const bool wide = options.output == "wide";
  std::vector<std::vector<std::string>> rows;
  const auto add = [&](std::vector<std::string> row, std::string_view ns) {
    if (options.namespaces) row.insert(row.begin(), std::string(ns));
    rows.push_back(std::move(row));
  };
  if (!options.no_headers) add(resources::table_head(kind, wide), "NAMESPACE");
  for (const Value& object : objects)
    add(resources::table_row(object, wide, now), krm::namespace_of(object));
  return table(rows);
}

}  // namespace portico::cli
