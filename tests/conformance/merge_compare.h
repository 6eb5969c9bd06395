// Compares a merged document with the one that kyaml printed.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/suite.h"
#include "conformance/support.h"
#include "json/text.h"
#include "json/value.h"
#include "krm/object.h"

namespace portico::conformance {

/// kyaml reprints the whole document: members that it adds are sorted, list indentation changes,
/// blank lines disappear. Portico keeps local text and takes upstream text unchanged. Texts are
/// therefore compared as sets of lines without indentation and dashes: every value, quote and
/// comment must be present.
inline std::vector<std::string> content_lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    while (line.starts_with("- ")) line = trimmed(line.substr(2));
    if (line.empty() || line == "---") continue;
    std::string one;  // a run of blanks, as before a comment, counts as one
    for (const char c : line)
      if (c != ' ' || one.empty() || one.back() != ' ') one += c;
    lines.push_back(std::move(one));
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

/// `want` without the empty maps that `have` lacks: kyaml leaves "strategy: {}" where upstream
/// removed the last member, or where the local version removed the map.
inline json::Value without_leftovers(const json::Value& want, const json::Value& have) {
  json::Value result = want;
  if (want.is_object() && have.is_object()) {
    for (const json::Member& member : want.members()) {
      const json::Value* mine = have.find(member.name());
      if (mine == nullptr && member.value.is_object() && member.value.empty())
        result = result.without(member.name());
      else if (mine != nullptr)
        result = result.with(member.name(), without_leftovers(member.value, *mine));
    }
  } else if (want.is_array() && have.is_array() && want.size() == have.size()) {
    for (std::size_t i = 0; i < want.size(); ++i)
      result = result.with_item(i, without_leftovers(want[i], have[i]));
  }
  return result;
}

/// Sorts lists of maps at any depth: kyaml appends items that upstream added, Portico inserts them
/// at upstream's position.
inline json::Value in_any_order(const json::Value& value) {
  json::Value result = value;
  for (const json::Member& member : value.members())
    result = result.with(member.name(), in_any_order(member.value));
  if (!value.is_array()) return result;
  std::vector<std::pair<std::string, json::Value>> items;
  bool only_maps = true;
  for (const json::Value& item : value.items()) {
    json::Value ordered = in_any_order(item);
    std::string text = json::print(ordered);
    only_maps = only_maps && item.is_object();
    items.emplace_back(std::move(text), std::move(ordered));
  }
  if (only_maps)
    std::sort(items.begin(), items.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<json::Value> values;
  for (auto& [text, item] : items) values.push_back(std::move(item));
  return json::Value::array(std::move(values));
}

/// Equal values, ignoring leftover empty maps and the position of added items.
inline bool same_values(const json::Value& want, const json::Value& have) {
  const json::Value wanted = in_any_order(want), got = in_any_order(have);
  return without_leftovers(wanted, got) == got;
}

/// Equal text, or equal values with all lines of `want` except leftover empty maps.
inline bool same_document(std::string_view want, std::string_view have) {
  if (trimmed(want) == trimmed(have)) return true;
  const auto expected = krm::Object::parse(want), actual = krm::Object::parse(have);
  if (!expected || !actual) return false;
  if (!same_values(expected->value(), actual->value())) return false;
  std::vector<std::string> wanted = content_lines(want), got = content_lines(have), missing, extra;
  std::set_difference(wanted.begin(), wanted.end(), got.begin(), got.end(),
                      std::back_inserter(missing));
  std::set_difference(got.begin(), got.end(), wanted.begin(), wanted.end(),
                      std::back_inserter(extra));
  return extra.empty() && std::all_of(missing.begin(), missing.end(), [](const std::string& line) {
           return line.ends_with(": {}");
         });
}

inline CaseResult compare_documents(std::string name, std::string_view want,
                                    std::string_view have) {
  if (same_document(want, have)) return passed(std::move(name));
  return failed(std::move(name), difference(trimmed(want), trimmed(have)));
}

}  // namespace portico::conformance
