#include "render/internal/yaml_text.h"

#include <algorithm>
#include <array>

#include "json/text.h"

namespace portico::render {

namespace {

/// Words that YAML 1.1 or 1.2 does not read as strings, in lower case.
constexpr std::array<std::string_view, 10> kWords{"y",   "yes",  "n",     "no",   "on",
                                                  "off", "true", "false", "null", "~"};

bool reads_as_other(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  if (text.empty() || std::find(kWords.begin(), kWords.end(), lower) != kWords.end()) return true;
  if (lower == ".inf" || lower == "-.inf" || lower == "+.inf" || lower == ".nan") return true;
  // Numbers, dates, and a few that only look like them: extra quotes do no harm.
  return std::string_view("0123456789+-.").find(text[0]) != std::string_view::npos &&
         text.find_first_of("0123456789") != std::string_view::npos &&
         lower.find_first_not_of("0123456789abcdefotxz_+-.:") == std::string::npos;
}

bool has_special(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
}

bool can_be_plain(std::string_view text) {
  if (std::string_view("#,[]{}&*!|>'\"%@` ").find(text[0]) != std::string_view::npos) return false;
  if (text.size() == 1 && std::string_view("-?:").find(text[0]) != std::string_view::npos)
    return false;
  if (text.starts_with("- ") || text.starts_with("? ") || text.starts_with(": ") ||
      text.starts_with("---") || text.starts_with("..."))
    return false;
  return text.back() != ' ' && text.back() != ':' && text.find(": ") == std::string_view::npos &&
         text.find(" #") == std::string_view::npos;
}

/// A literal block keeps tabs and newlines; blanks before a line end would be stripped by editors.
bool can_be_literal(std::string_view text) {
  std::string rest(text);
  std::erase_if(rest, [](char c) { return c == '\n' || c == '\t'; });
  return text.find('\n') != std::string_view::npos && !has_special(rest) &&
         text.find(" \n") == std::string_view::npos && text.back() != ' ';
}

std::string literal(std::string_view text, std::size_t indent) {
  std::string out = "|";
  if (text.front() == ' ' || text.front() == '\n') out += '2';
  const bool newline = text.ends_with('\n');
  if (!newline) out += '-';
  if (text.ends_with("\n\n") || text == "\n") out += '+';
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    out += '\n';
    if (end > 0) out.append(indent + 2, ' ').append(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

}  // namespace

std::string yaml_scalar(std::string_view text, std::size_t indent) {
  if (!text.empty() && can_be_literal(text)) return literal(text, indent);
  if (reads_as_other(text) || has_special(text)) {
    std::string out;
    json::append_quoted(out, text);
    return out;
  }
  if (can_be_plain(text)) return std::string(text);
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') out += '\'';
    out += c;
  }
  return out + "'";
}

void YamlWriter::start_line() {
  if (dash_) {
    out_.append(indent_ - 2, ' ').append("- ");
  } else {
    out_.append(indent_, ' ');
  }
  dash_ = false;
}

void YamlWriter::text(std::string_view key, std::string_view value) {
  if (value.empty()) return;
  start_line();
  out_.append(key).append(": ").append(yaml_scalar(value, indent_)).append("\n");
}

void YamlWriter::number(std::string_view key, int value) {
  start_line();
  out_.append(key).append(": ").append(std::to_string(value)).append("\n");
}

void YamlWriter::open(std::string_view key) {
  start_line();
  out_.append(key).append(":\n");
  indent_ += 2;
}

void YamlWriter::item() {
  indent_ += 2;
  dash_ = true;
}

void YamlWriter::close() {
  indent_ -= 2;
  dash_ = false;
}

}  // namespace portico::render
