// Decoding of scalars: escapes, line folding, chomping (YAML 1.2.2 chapters 5.7, 6.5 and 8.1).
#include <algorithm>

#include "base/utf8.h"
#include "yaml/document.h"
#include "yaml/internal/chars.h"

namespace portico::yaml {
namespace {

/// With `at` at a break of a flow scalar, appends the result of folding and returns the offset of
/// the next line's text. Blanks before the break must already be removed from `out`.
std::size_t fold(std::string_view text, std::size_t at, std::string& out, bool escaped) {
  std::size_t breaks = 0;
  while (at < text.size() && (is_break(text[at]) || is_blank(text[at]))) {
    if (is_break(text[at])) {
      ++breaks;
      at = behind_break(text, at);
    } else {
      ++at;
    }
  }
  if (breaks > 1)
    out.append(breaks - 1, '\n');
  else if (!escaped)
    out += ' ';
  return at;
}

void drop_blanks(std::string& out, std::size_t keep) {
  while (out.size() > keep && is_blank(out.back())) out.pop_back();
}

void decode_plain(std::string_view text, std::string& out) {
  for (std::size_t i = 0; i < text.size();) {
    if (!is_break(text[i])) {
      out += text[i++];
      continue;
    }
    drop_blanks(out, 0);
    i = fold(text, i, out, false);
  }
}

void decode_single(std::string_view text, std::string& out) {
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == '\'') {
      out += '\'';
      i += 2;
    } else if (is_break(text[i])) {
      drop_blanks(out, 0);
      i = fold(text, i, out, false);
    } else {
      out += text[i++];
    }
  }
}

std::uint32_t hex(std::string_view digits) {
  std::uint32_t code = 0;
  for (const char c : digits) code = code * 16 + static_cast<std::uint32_t>(hex_digit(c));
  return code;
}

/// Decodes the escape at the '\\' at `i`, which the parser has checked; returns its end.
std::size_t decode_escape(std::string_view text, std::size_t i, std::string& out) {
  const char c = text[i + 1];
  switch (c) {
    case '0':
      out += '\0';
      break;
    case 'a':
      out += '\a';
      break;
    case 'b':
      out += '\b';
      break;
    case 't':
    case '\t':
      out += '\t';
      break;
    case 'n':
      out += '\n';
      break;
    case 'v':
      out += '\v';
      break;
    case 'f':
      out += '\f';
      break;
    case 'r':
      out += '\r';
      break;
    case 'e':
      out += '\x1b';
      break;
    case 'N':
      append_utf8(out, 0x85);
      break;
    case '_':
      append_utf8(out, 0xa0);
      break;
    case 'L':
      append_utf8(out, 0x2028);
      break;
    case 'P':
      append_utf8(out, 0x2029);
      break;
    case 'x':
      append_utf8(out, hex(text.substr(i + 2, 2)));
      return i + 4;
    case 'U':
      append_utf8(out, hex(text.substr(i + 2, 8)));
      return i + 10;
    case 'u': {
      const std::uint32_t code = hex(text.substr(i + 2, 4));
      if (code < 0xd800 || code > 0xdfff) {
        append_utf8(out, code);
        return i + 6;
      }
      append_utf8(out, 0x10000 + ((code - 0xd800) << 10) + (hex(text.substr(i + 8, 4)) - 0xdc00));
      return i + 12;
    }
    default:
      out += c;
  }
  return i + 2;
}

void decode_double(std::string_view text, std::string& out) {
  std::size_t keep = 0;  // folding keeps blanks before this, which escapes wrote
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == '\\') {
      if (is_break(text[i + 1])) {
        i = fold(text, i + 1, out, true);
      } else {
        i = decode_escape(text, i, out);
      }
      keep = out.size();
    } else if (is_break(text[i])) {
      drop_blanks(out, keep);
      i = fold(text, i, out, false);
      keep = out.size();
    } else {
      out += text[i++];
    }
  }
}

/// The lines of a block scalar, without indentation and without blank lines at the end.
struct BlockLines {
  std::vector<std::string_view> lines;
  std::size_t blank_tail = 0;  // blank lines after the last line
  bool last_has_break = true;  // false if the text ends in a last line that holds more than blanks
  char chomp = ' ';
};

BlockLines split_block(std::string_view text, const Node& node) {
  BlockLines out;
  std::size_t at = node.begin;
  const std::size_t header = line_end(text, at);
  for (std::size_t i = at + 1; i < header && !is_blank(text[i]) && text[i] != '#'; ++i)
    if (text[i] == '+' || text[i] == '-') out.chomp = text[i];
  at = header;
  while (at < node.end) {
    at = behind_break(text, at);
    const std::size_t end = line_end(text, at);
    std::size_t begin = at;
    while (begin < end && begin - at < node.column && text[begin] == ' ') ++begin;
    out.lines.push_back(text.substr(begin, end - begin));
    at = end;
  }
  out.last_has_break = at < text.size() || text.find_last_not_of(" \t") < line_begin(text, at);
  while (!out.lines.empty() && out.lines.back().empty()) {
    out.lines.pop_back();
    ++out.blank_tail;
  }
  return out;
}

void decode_block(std::string_view text, const Node& node, std::string& out) {
  const BlockLines block = split_block(text, node);
  const bool folded = node.style == Style::kFolded;
  bool previous_more = true;  // indented more, or no line yet: its break is not folded
  std::size_t blanks = 0;
  bool first = true;
  for (const std::string_view line : block.lines) {
    if (line.empty()) {
      ++blanks;
      continue;
    }
    const bool more = is_blank(line.front());
    const bool folds = folded && !previous_more && !more;
    if (folds && blanks == 0)
      out += ' ';
    else
      out.append(first || folds ? blanks : blanks + 1, '\n');
    out += line;
    previous_more = more;
    blanks = 0;
    first = false;
  }
  if (block.lines.empty()) {
    if (block.chomp == '+') {
      out.append(block.blank_tail, '\n');
    }
    return;
  }
  if (block.chomp == '-') return;
  if (block.chomp == '+') {
    out.append(block.blank_tail + (block.last_has_break ? 1 : 0), '\n');
  } else if (block.last_has_break || block.blank_tail > 0) {
    out += '\n';
  }
}

}  // namespace

std::string_view Document::scalar(NodeId id, std::string& scratch) const {
  const Node& node = nodes_[id];
  if (node.kind != Kind::kScalar) return {};
  std::string_view text = source(id);
  if (node.style == Style::kSingle || node.style == Style::kDouble)
    text = text.substr(1, text.size() - 2);
  if (node.is_verbatim) return text;
  scratch.clear();
  switch (node.style) {
    case Style::kPlain:
      decode_plain(text, scratch);
      break;
    case Style::kSingle:
      decode_single(text, scratch);
      break;
    case Style::kDouble:
      decode_double(text, scratch);
      break;
    default:
      decode_block(text_, node, scratch);
  }
  return scratch;
}

}  // namespace portico::yaml
