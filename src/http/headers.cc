#include "http/headers.h"

#include <algorithm>

namespace portico::http {
namespace {

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// Removes the text before the first `separator` from the front of `text` and returns it trimmed.
std::string_view take_word(std::string_view& text, char separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return trimmed(word);
}

// Checks the parameters of "gzip;q=0.5", after the first ';'. Only q=0 refuses.
bool is_refused(std::string_view parameters) {
  while (!parameters.empty()) {
    const std::string_view parameter = take_word(parameters, ';');
    if (parameter.size() < 3 || lower(parameter[0]) != 'q' || parameter[1] != '=') continue;
    if (parameter.substr(2).find_first_not_of("0.") == std::string_view::npos) return true;
  }
  return false;
}

}  // namespace

bool same_name(std::string_view a, std::string_view b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(),
                                            [](char x, char y) { return lower(x) == lower(y); });
}

std::string_view Headers::get(std::string_view name) const {
  for (const HeaderField& field : fields_)
    if (same_name(field.name, name)) return field.value;
  return {};
}

bool Headers::has(std::string_view name) const {
  return std::any_of(fields_.begin(), fields_.end(),
                     [&](const HeaderField& field) { return same_name(field.name, name); });
}

std::vector<std::string_view> Headers::all(std::string_view name) const {
  std::vector<std::string_view> values;
  for (const HeaderField& field : fields_)
    if (same_name(field.name, name)) values.push_back(field.value);
  return values;
}

void Headers::add(std::string name, std::string value) {
  fields_.push_back({std::move(name), std::move(value)});
}

void Headers::set(std::string_view name, std::string value) {
  const auto at = std::find_if(fields_.begin(), fields_.end(), [&](const HeaderField& field) {
    return same_name(field.name, name);
  });
  if (at == fields_.end()) return add(std::string(name), std::move(value));
  at->value = std::move(value);
  fields_.erase(
      std::remove_if(at + 1, fields_.end(),
                     [&](const HeaderField& field) { return same_name(field.name, name); }),
      fields_.end());
}

void Headers::remove(std::string_view name) {
  std::erase_if(fields_, [&](const HeaderField& field) { return same_name(field.name, name); });
}

bool has_word(const Headers& headers, std::string_view name, std::string_view word) {
  for (std::string_view value : headers.all(name))
    while (!value.empty())
      if (same_name(take_word(value, ','), word)) return true;
  return false;
}

bool accepts_gzip(const Headers& headers) {
  bool any = false;
  for (std::string_view value : headers.all("Accept-Encoding")) {
    while (!value.empty()) {
      std::string_view parameters = take_word(value, ',');
      const std::string_view coding = take_word(parameters, ';');
      if (same_name(coding, "gzip")) return !is_refused(parameters);
      if (coding == "*") any = !is_refused(parameters);
    }
  }
  return any;
}

}  // namespace portico::http
