#include "cli/custom_output.h"

#include <algorithm>
#include <utility>

#include "cli/context.h"
#include "engine/manifests.h"
#include "gotemplate/template.h"
#include "jsonpath/path.h"
#include "jsonpath/template.h"

namespace portico::cli {

using json::Value;

namespace {

constexpr std::string_view kJsonPath = "jsonpath=", kJsonPathFile = "jsonpath-file=",
                           kColumns = "custom-columns=", kColumnsFile = "custom-columns-file=",
                           kGo = "go-template=", kGoFile = "go-template-file=";

constexpr std::size_t kMostLayout = 1u << 20;

// kubectl accepts paths without braces and without the leading dot.
Result<jsonpath::Path> relaxed_path(std::string_view text) {
  if (text.starts_with('{') && text.ends_with('}')) text = text.substr(1, text.size() - 2);
  if (text.starts_with('.') || text.starts_with('[') || text.starts_with('$'))
    return jsonpath::Path::parse(text);
  return jsonpath::Path::parse("." + std::string(text));
}

struct Column {
  std::string head;
  jsonpath::Path path;
};

// "NAME:.metadata.name,IMAGE:.spec.image"; commas within brackets belong to the path.
Result<std::vector<Column>> parse_columns(std::string_view text) {
  std::vector<Column> out;
  while (!text.empty()) {
    int depth = 0;
    std::size_t end = 0;
    for (; end < text.size() && (depth > 0 || text[end] != ','); ++end) {
      if (text[end] == '[' || text[end] == '(') ++depth;
      if (text[end] == ']' || text[end] == ')') --depth;
    }
    const std::string_view column = text.substr(0, end);
    const std::size_t colon = column.find(':');
    if (colon == std::string_view::npos || colon == 0 || colon + 1 == column.size())
      return invalid(
          "unexpected custom-columns spec: \"{}\", expected HEADER:PATH, as in NAME:.metadata.name",
          column);
    PORTICO_TRY(auto path, relaxed_path(column.substr(colon + 1)),
                fmt::format("column {}", column.substr(0, colon)));
    out.push_back({std::string(column.substr(0, colon)), std::move(path)});
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (out.empty())
    return invalid(
        "custom-columns format specified but no custom columns given, expected HEADER:PATH, as in "
        "NAME:.metadata.name");
  return out;
}

std::string cell(const jsonpath::Path& path, const Value& object) {
  std::string out;
  for (const Value& found : path.evaluate(object)) {
    if (found.is_null()) continue;
    if (!out.empty()) out += ",";
    out += jsonpath::text_of(found);
  }
  return out.empty() ? "<none>" : out;
}

// A columns file has a line of headings and a line of paths.
Result<std::string> joined_lines(const std::string& text) {
  const std::size_t end = text.find('\n');
  if (end == std::string::npos)
    return invalid("a custom-columns file must have two lines: headers, and their paths below");
  const auto words = [](std::string_view line) {
    std::vector<std::string> out(1);
    for (const char c : line.substr(0, line.find('\n'))) {
      if (c != ' ' && c != '\t' && c != '\r')
        out.back() += c;
      else if (!out.back().empty())
        out.emplace_back();
    }
    if (out.back().empty()) out.pop_back();
    return out;
  };
  const auto heads = words(text), paths = words(std::string_view(text).substr(end + 1));
  if (heads.size() != paths.size())
    return invalid(
        "a custom-columns file must have as many headers as paths, but it has {} headers and {} "
        "paths",
        heads.size(), paths.size());
  std::string out;
  for (std::size_t i = 0; i < heads.size(); ++i)
    out += fmt::format("{}{}:{}", i == 0 ? "" : ",", heads[i], paths[i]);
  return out;
}

// Missing values, then numbers, then texts.
struct SortKey {
  int rank = 0;
  double number = 0;
  std::string text;
  auto operator<=>(const SortKey&) const = default;
};

SortKey sort_key(const jsonpath::Path& path, const Value& object) {
  const std::vector<Value> found = path.evaluate(object, 1);
  if (found.empty() || found[0].is_null()) return {};
  if (found[0].is_number()) return {1, found[0].as_double(), {}};
  return {2, 0, jsonpath::text_of(found[0])};
}

}  // namespace

bool is_custom_output(std::string_view output) {
  return output.starts_with(kJsonPath) || output.starts_with(kJsonPathFile) ||
         output.starts_with(kColumns) || output.starts_with(kColumnsFile) ||
         output.starts_with(kGo) || output.starts_with(kGoFile);
}

Result<std::string> read_custom_output(std::string output) {
  for (const auto& [of_file, plain] :
       {std::pair(kJsonPathFile, kJsonPath), {kColumnsFile, kColumns}, {kGoFile, kGo}}) {
    if (!output.starts_with(of_file)) continue;
    const std::string file = output.substr(of_file.size());
    PORTICO_TRY(std::string text, engine::read_text(file, kMostLayout), "-o");
    if (of_file == kColumnsFile) {
      PORTICO_TRY(text, joined_lines(text), file);
    }
    return std::string(plain) + text;
  }
  return output;
}

Result<std::string> print_custom(std::string_view output, const Value& whole,
                                 const std::vector<Value>& objects, bool no_headers) {
  if (output.starts_with(kJsonPath)) {
    PORTICO_TRY(const auto layout, jsonpath::Template::parse(output.substr(kJsonPath.size())),
                "-o jsonpath");
    return layout.render(whole);
  }
  if (output.starts_with(kGo)) {
    PORTICO_TRY(const auto layout, gotemplate::Template::parse(output.substr(kGo.size())),
                "-o go-template");
    PORTICO_TRY(std::string text, layout.render(whole), "-o go-template");
    return text;
  }
  PORTICO_TRY(const auto columns, parse_columns(output.substr(kColumns.size())),
              "-o custom-columns");
  std::vector<std::vector<std::string>> rows;
  const auto add = [&](const auto& text_of) {
    auto& row = rows.emplace_back();
    for (const Column& column : columns) row.push_back(text_of(column));
  };
  if (!no_headers) add([](const Column& column) { return column.head; });
  for (const Value& object : objects)
    add([&](const Column& column) { return cell(column.path, object); });
  return terminal::table(rows);
}

Result<Done> sort_objects(std::vector<Value>& objects, std::string_view path) {
  PORTICO_TRY(const auto by, relaxed_path(path), "--sort-by");
  std::vector<std::pair<SortKey, Value>> keyed;
  keyed.reserve(objects.size());
  for (Value& object : objects) {
    SortKey key = sort_key(by, object);
    keyed.emplace_back(std::move(key), std::move(object));
  }
  std::stable_sort(keyed.begin(), keyed.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t i = 0; i < keyed.size(); ++i) objects[i] = std::move(keyed[i].second);
  return Done{};
}

}  // namespace portico::cli
