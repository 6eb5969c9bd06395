// Visible notation for characters that editors would spoil in data files.
#pragma once

#include <string>
#include <utility>

namespace portico::yaml {

inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

/// Replaces "<CR>", "<TAB>", "<SP>" and "<BOM>" with the characters they name; "<END>" ends the
/// text before a line's line break.
inline std::string unveiled(std::string text) {
  text = replaced(std::move(text), "<CR>", "\r");
  text = replaced(std::move(text), "<TAB>", "\t");
  text = replaced(std::move(text), "<SP>", " ");
  text = replaced(std::move(text), "<BOM>", "\xef\xbb\xbf");
  if (text.ends_with("<END>\n")) text.resize(text.size() - 6);
  return text;
}

/// The text on one line, with C escapes for unprintable characters.
inline std::string on_one_line(std::string text) {
  text = replaced(std::move(text), "\\", "\\\\");
  text = replaced(std::move(text), "\xef\xbb\xbf", "<BOM>");
  text = replaced(std::move(text), "\n", "\\n");
  text = replaced(std::move(text), "\r", "\\r");
  return replaced(std::move(text), "\t", "\\t");
}

inline std::string from_one_line(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      out += text[i];
      continue;
    }
    const char c = text[++i];
    out += c == 'n' ? '\n' : c == 'r' ? '\r' : c == 't' ? '\t' : c;
  }
  return out;
}

}  // namespace portico::yaml
