// Chooses the style of a string (the emitter rules of go-yaml and kyaml).
#include <algorithm>

#include "base/utf8.h"
#include "yaml/internal/chars.h"
#include "yaml/print.h"
#include "yaml/resolve.h"

namespace portico::yaml {
namespace {

struct Analysis {
  bool multiline = false;
  bool special = false;  // needs an escape
  bool tab = false;
  bool plain = true;            // may be plain in block context
  bool flow_plain = true;       // may be plain in flow context
  bool edge_blank = false;      // begins or ends with a blank
  bool blank_break = false;     // a blank next to a break
  bool trailing_blank = false;  // a line ends in a blank
  bool looks_nested = false;    // YAML would read a list or map
};

bool needs_escape(char32_t code) {
  if (code < 0x80) return (code < 0x20 && code != '\n' && code != '\t') || code == 0x7f;
  return code < 0xa0 || code == 0x2028 || code == 0x2029 || code == 0xfeff || code == 0xfffe ||
         code == 0xffff || code > 0xffff;
}

Analysis analyse(std::string_view text) {
  Analysis out;
  if (text.empty()) {
    out.plain = out.flow_plain = false;
    return out;
  }
  out.edge_blank = text.front() == ' ' || text.back() == ' ';
  for (std::size_t i = 0; i < text.size();) {
    const auto [code, length, valid] = utf8_front(text.substr(i));
    const char before = i > 0 ? text[i - 1] : '\0';
    const char next = i + length < text.size() ? text[i + length] : '\0';
    out.special |= needs_escape(code) || !valid;
    switch (code) {
      case '\n':
        out.multiline = true;
        out.trailing_blank |= is_blank(before);
        out.blank_break |= is_blank(before) || is_blank(next);
        break;
      case '\t':
        out.tab = true;
        break;
      case ':':
        out.flow_plain = false;
        if (is_space_or_end(next)) out.plain = false, out.looks_nested = true;
        break;
      case '#':
        if (i == 0 || is_blank(before) || before == '\n') out.plain = false;
        break;
      case ',':
      case '?':
      case '[':
      case ']':
      case '{':
      case '}':
        out.flow_plain = false;
        break;
      default:
        break;
    }
    i += length;
  }
  out.trailing_blank |= is_blank(text.back());
  const char first = text.front();
  const char second = text.size() > 1 ? text[1] : '\0';
  const bool indicator =
      std::string_view(",[]{}#&*!|>'\"%@`").find(first) != std::string_view::npos;
  const bool marker = text.starts_with("---") || text.starts_with("...");
  const bool dash = (first == '-' || first == '?' || first == ':') && is_space_or_end(second);
  out.looks_nested |= first == '{' || first == '[' || dash;
  if (indicator || marker || dash || out.edge_blank || out.multiline || out.tab || out.special)
    out.plain = false;
  // A "-" before a flow indicator is not plain text either, and "-," is never worth the risk.
  if (first == '-' && is_flow_indicator(second)) out.flow_plain = false;
  out.flow_plain &= out.plain;
  return out;
}

std::string hex_escape(char32_t code) {
  const int digits = code <= 0xff ? 2 : code <= 0xffff ? 4 : 8;
  std::string out = digits == 2 ? "\\x" : digits == 4 ? "\\u" : "\\U";
  for (int shift = (digits - 1) * 4; shift >= 0; shift -= 4)
    out += "0123456789ABCDEF"[(code >> shift) & 0xf];
  return out;
}

std::string double_quoted(std::string_view text) {
  std::string out = "\"";
  for (std::size_t i = 0; i < text.size();) {
    const auto [code, length, valid] = utf8_front(text.substr(i));
    switch (code) {
      case '\0':
        out += "\\0";
        break;
      case '\a':
        out += "\\a";
        break;
      case '\b':
        out += "\\b";
        break;
      case '\t':
        out += "\\t";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\v':
        out += "\\v";
        break;
      case '\f':
        out += "\\f";
        break;
      case '\r':
        out += "\\r";
        break;
      case 0x1b:
        out += "\\e";
        break;
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case 0x85:
        out += "\\N";
        break;
      case 0x2028:
        out += "\\L";
        break;
      case 0x2029:
        out += "\\P";
        break;
      default:
        if (needs_escape(code) || !valid) {
          out += hex_escape(code);
        } else {
          out += text.substr(i, length);
        }
    }
    i += length;
  }
  return out + "\"";
}

std::string json_quoted(std::string_view text) {
  std::string out = "\"";
  for (std::size_t i = 0; i < text.size();) {
    const auto [code, length, valid] = utf8_front(text.substr(i));
    switch (code) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      default:
        if (!valid || code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0xfffe ||
            code == 0xffff) {
          out += "\\u";
          for (int shift = 12; shift >= 0; shift -= 4)
            out += "0123456789abcdef"[(code >> shift) & 0xf];
        } else {
          out += text.substr(i, length);
        }
    }
    i += length;
  }
  return out + "\"";
}

std::string single_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    out += c;
    if (c == '\'') out += c;
  }
  return out + "'";
}

/// Literal or folded; the text ends in at most one break and is not only a break.
std::string block_scalar(std::string_view text, bool folded, const ScalarPlace& place,
                         const Layout& layout) {
  std::string out = folded ? ">" : "|";
  if (is_blank(text.front()) || text.front() == '\n')
    out += std::to_string(place.column - std::max(place.parent, 0));
  std::string_view body = text;
  if (text.ends_with('\n'))
    body.remove_suffix(1);
  else
    out += '-';
  const std::string margin(static_cast<std::size_t>(place.column), ' ');
  bool line_started = false;
  out += layout.newline;
  for (std::size_t i = 0; i < body.size(); ++i) {
    if (body[i] == '\n') {
      out += layout.newline;
      // A single break between two lines of folded text needs a blank line.
      if (folded && i > 0 && body[i - 1] != '\n') out += layout.newline;
      line_started = false;
      continue;
    }
    if (!line_started) out += margin;
    line_started = true;
    out += body[i];
  }
  return out;
}

bool can_fold(std::string_view text) {
  if (text.front() == '\n') return false;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (is_blank(text[i]) && (i == 0 || text[i - 1] == '\n')) return false;
  return true;
}

}  // namespace

std::string scalar_text(std::string_view text, Style wanted, const ScalarPlace& place,
                        const Layout& layout) {
  if (layout.json) return json_quoted(text);
  const Analysis seen = analyse(text);
  const bool in_line = place.flow || place.key;
  // "|+" absorbs any blank lines that follow, so it is not used for new scalars.
  const bool open_end = text.ends_with("\n\n") || text == "\n";
  const bool block = layout.block_scalars && !in_line && !text.empty() && !open_end &&
                     !seen.special && !seen.trailing_blank;
  const bool single = !seen.special && !seen.tab && !seen.multiline;
  if (wanted == Style::kFolded && block && can_fold(text))
    return block_scalar(text, true, place, layout);
  if ((wanted == Style::kLiteral || wanted == Style::kFolded) && block)
    return block_scalar(text, false, place, layout);
  if (wanted == Style::kDouble) return double_quoted(text);
  if (wanted == Style::kSingle && single) return single_quoted(text);
  if (looks_typed_in_yaml11(text) || text == "<<") return double_quoted(text);
  if (seen.multiline && block) return block_scalar(text, false, place, layout);
  if (place.flow ? seen.flow_plain : seen.plain) return std::string(text);
  if (single && !seen.looks_nested) return single_quoted(text);
  return double_quoted(text);
}

std::string key_source(std::string_view text, bool flow, const Layout& layout) {
  return scalar_text(text, Style::kPlain, {.flow = flow, .key = true}, layout);
}

}  // namespace portico::yaml
