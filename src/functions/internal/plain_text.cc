#include "functions/internal/plain_text.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <set>

#include "functions/internal/fields.h"
#include "functions/internal/replacement_path.h"
#include "json/text.h"

namespace portico::functions {

namespace {

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  for (const std::string_view word : words)
    if (text == word) return true;
  return false;
}

std::optional<json::Value> integer(std::string_view text) {
  std::string digits;
  for (const char c : text)
    if (c != '_') digits += c;
  std::string_view rest = digits;
  bool negative = false;
  if (!rest.empty() && (rest[0] == '-' || rest[0] == '+')) {
    negative = rest[0] == '-';
    rest.remove_prefix(1);
  }
  int base = 10;
  if (rest.size() > 2 && rest[0] == '0') {
    if (rest[1] == 'x') base = 16;
    if (rest[1] == 'o') base = 8;
    if (rest[1] == 'b') base = 2;
    if (base != 10) rest.remove_prefix(2);
  }
  if (base == 10 && rest.size() > 1 && rest[0] == '0') base = 8;
  if (rest.empty() || rest[0] == '-' || rest[0] == '+') return std::nullopt;
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value, base);
  if (error != std::errc() || end != rest.data() + rest.size()) return std::nullopt;
  if (!negative) return json::Value(value);
  if (value > (std::uint64_t{1} << 63)) return std::nullopt;
  return json::Value(static_cast<std::int64_t>(0 - value));
}

std::optional<json::Value> number(std::string_view text) {
  static const RE2 kFloat(R"([-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?)");
  if (!RE2::FullMatch({text.data(), text.size()}, kFloat)) return std::nullopt;
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return json::Value(value);
}

}  // namespace

std::optional<std::string> text_at(const krm::Object& object, const krm::Path& path) {
  const json::Value& value = value_at(object.value(), path);
  if (value.is_object() || value.is_array()) return std::nullopt;
  if (value.is_string()) return std::string(value.as_string());
  return std::string(object.source(path));
}

json::Value resolved(std::string_view text) {
  if (is_one_of(text, {"", "~", "null", "Null", "NULL"})) return {};
  if (is_one_of(text, {"true", "True", "TRUE"})) return true;
  if (is_one_of(text, {"false", "False", "FALSE"})) return false;
  if (auto value = integer(text)) return *std::move(value);
  if (auto value = number(text)) return *std::move(value);
  return text;
}

Result<Done> make_room_for_comments(krm::Object& object, const std::vector<krm::Path>& paths) {
  std::set<krm::Path> crowded;
  for (const krm::Path& path : paths) {
    krm::Path at;
    for (const krm::Step& step : path) {
      at.push_back(step);
      const std::string_view source = object.source(at);
      if (!source.starts_with('[') && !source.starts_with('{')) continue;
      if (!value_at(object.value(), at).empty()) crowded.insert(at);
      break;
    }
  }
  if (crowded.empty()) return Done{};
  const krm::Object before = object;
  TextEdits edits(before);
  for (const krm::Path& path : crowded) edits.set_block(path, value_at(before.value(), path));
  return edits.apply(object);
}

void TextEdits::set_text(krm::Path path, std::string_view text) {
  const std::string_view source = object_.source(path);
  const bool keeps_string =
      !source.empty() && std::string_view("\"'|>").find(source[0]) != std::string_view::npos;
  krm::Edit edit;
  edit.path = std::move(path);
  edit.value = keeps_string || text.empty() ? json::Value(text) : resolved(text);
  if (!edit.value.is_string() && json::print(edit.value) != text) {
    // Another spelling of a number or boolean: copied from a document with that spelling.
    if (auto written = krm::Object::parse(fmt::format("text: {}\n", text))) {
      copy(std::move(edit.path), *std::move(written));
      return;
    }
  }
  edits_.push_back(std::move(edit));
}

void TextEdits::set_block(krm::Path path, const json::Value& value) {
  copy(std::move(path), krm::Object::from_value(json::Value::object({{"text", value}})));
}

void TextEdits::set_list(krm::Path path, const json::Value& list) {
  if (!list.empty() && object_.source(path).starts_with('[')) {
    set_block(std::move(path), list);
    return;
  }
  krm::Edit edit;
  edit.path = std::move(path);
  edit.value = list;
  edits_.push_back(std::move(edit));
}

void TextEdits::copy(krm::Path path, krm::Object source) {
  krm::Edit edit;
  edit.path = std::move(path);
  edit.from = &sources_.emplace_back(std::move(source));
  edit.from_path = {std::string("text")};
  edits_.push_back(std::move(edit));
}

}  // namespace portico::functions
