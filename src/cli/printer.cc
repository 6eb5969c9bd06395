#include "cli/printer.h"

#include <algorithm>

#include "base/spelling.h"
#include "cli/colours.h"
#include "cli/context.h"
#include "cli/custom_output.h"
#include "cli/definitions.h"
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

namespace {

std::string labels_of(const Value& object) {
  std::string out;
  for (const json::Member& label : object["metadata"]["labels"].members())
    out += fmt::format("{}{}={}", out.empty() ? "" : ",", label.name(), label.value.as_string());
  return out.empty() ? "<none>" : out;
}

// The columns of the version that the objects have.
std::vector<resources::TableColumn> columns_for(const krm::GroupKind& kind,
                                                const std::vector<Value>& objects,
                                                const PrintOptions& options) {
  const Value definition = definition_of(kind, options.definitions);
  if (definition.is_null()) return resources::table_columns(kind);
  const auto first = std::find_if(objects.begin(), objects.end(), [&](const Value& object) {
    return krm::group_kind(object) == kind;
  });
  const std::string_view version = (*first)["apiVersion"].as_string();
  return resources::table_columns(definition, krm::group_version(version).version);
}

std::string table_of(const krm::GroupKind& kind, const std::vector<Value>& objects,
                     const PrintOptions& options, std::string_view now) {
  const bool wide = options.output == "wide";
  std::vector<std::vector<std::string>> rows;
  const auto add = [&](std::vector<std::string> row, std::string_view ns, std::string labels) {
    if (options.namespaces) row.insert(row.begin(), std::string(ns));
    if (options.show_labels) row.push_back(std::move(labels));
    rows.push_back(std::move(row));
  };
  const bool more = options.more != nullptr && options.more->kind == kind;
  const std::vector<resources::TableColumn> columns = columns_for(kind, objects, options);
  std::vector<std::string> head = resources::table_head(columns, wide);
  if (more) head.insert(head.end(), options.more->head.begin(), options.more->head.end());
  if (!options.no_headers) add(head, "NAMESPACE", "LABELS");
  for (const Value& object : objects) {
    if (krm::group_kind(object) != kind) continue;
    std::vector<std::string> row = resources::table_row(columns, object, wide, now);
    if (options.with_kind && !row.empty()) row[0] = resources::name_line(object);
    if (more)
      if (const auto cells = options.more->cells.find(krm::object_key(object));
          cells != options.more->cells.end())
        row.insert(row.end(), cells->second.begin(), cells->second.end());
    if (options.terminal != nullptr && options.terminal->colours())
      for (std::size_t i = 0; i < std::min(head.size(), row.size()); ++i)
        row[i] = options.terminal->paint(colour_of_cell(head[i], row[i], object), row[i]);
    add(std::move(row), krm::namespace_of(object), labels_of(object));
  }
  return terminal::table(rows);
}

}  // namespace

Result<std::string> print_objects(const std::vector<Value>& objects, const PrintOptions& options,
                                  std::string_view now) {
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
  if (is_custom_output(options.output)) {
    PORTICO_TRY(const std::string output, read_custom_output(options.output));
    return print_custom(output, whole(), objects, options.no_headers);
  }
  if (!options.output.empty() && options.output != "wide")
    return invalid(
        "unknown output format \"{}\"{}; allowed formats are: wide, yaml, json, name, jsonpath=, "
        "go-template=, custom-columns=, jsonpath-file=, go-template-file=, custom-columns-file=",
        options.output,
        hint(options.output.substr(0, options.output.find('=')),
             {"wide", "yaml", "json", "name", "jsonpath=", "go-template=", "custom-columns="}));

  std::vector<krm::GroupKind> kinds;
  for (const Value& object : objects)
    if (const auto kind = krm::group_kind(object);
        std::find(kinds.begin(), kinds.end(), kind) == kinds.end())
      kinds.push_back(kind);
  std::string out;
  for (const krm::GroupKind& kind : kinds)
    out += (out.empty() ? "" : "\n") + table_of(kind, objects, options, now);
  return out;
}

}  // namespace portico::cli
