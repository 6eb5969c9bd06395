// Everything that can appear inside a line: properties, aliases, quoted and plain scalars, flow
// collections (YAML 1.2.2 chapters 6.9 and 7).
#include <array>

#include "yaml/internal/parser.h"

namespace portico::yaml {
namespace {

constexpr std::array<bool, 256> table(std::string_view stops) {
  std::array<bool, 256> out{};
  for (const char c : stops) out[static_cast<unsigned char>(c)] = true;
  out[0] = true;
  return out;
}
constexpr auto kPlainStops = table(":#\n\r");
constexpr auto kFlowPlainStops = table(":#\n\r,[]{}");
constexpr auto kDoubleStops = table("\"\\\n\r");
constexpr auto kSingleStops = table("'\n\r");
constexpr auto kIndicators = table("-?:,[]{}#&*!|>'\"%@`");

bool is_tag_char(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c != '\0' && std::string_view("-#;/?:@&=+$_.~*'()%").find(c) != std::string_view::npos);
}

}  // namespace

/// Anchor and tag, in either order, each at most once; leaves p_ after the last one.
bool Parser::properties(Properties& props) {
  for (;;) {
    if (here() == '&') {
      if (props.has_anchor) return fail(p_, "a node cannot have two anchors");
      const std::size_t name = ++p_;
      while (!is_space_or_end(here()) && !is_flow_indicator(here())) ++p_;
      if (p_ == name) return fail(name, "anchor has no name");
      props.anchor = text_.substr(name, p_ - name);
      props.has_anchor = true;
    } else if (here() == '!') {
      if (props.has_tag) return fail(p_, "a node cannot have two tags");
      if (!tag(props)) return false;
    } else {
      return true;
    }
    const std::size_t behind = p_;
    if (!is_space_or_end(here()) && !is_flow_indicator(here()))
      return fail(p_, "a space must follow an anchor or tag");
    skip_blanks();
    if (here() != '&' && here() != '!') {
      p_ = behind;
      return true;
    }
  }
}

bool Parser::tag(Properties& props) {
  const std::size_t begin = p_++;
  props.has_tag = true;
  if (here() == '<') {
    const std::size_t uri = ++p_;
    while (is_tag_char(here()) || is_flow_indicator(here()) || here() == '!') ++p_;
    if (here() != '>' || p_ == uri)
      return fail(begin, "a tag that starts with \"!<\" must end with '>'");
    ++p_;
    return true;
  }
  while (is_tag_char(here())) ++p_;
  if (here() != '!') return true;  // "!" or "!local"
  ++p_;
  const std::string handle(text_.substr(begin, p_ - begin));
  const std::size_t suffix = p_;
  while (is_tag_char(here())) ++p_;
  if (p_ == suffix) return fail(begin, "the tag \"" + handle + "\" has no name");
  for (const auto& [known, prefix] : tag_handles_)
    if (known == handle) return true;
  return fail(begin, "undefined tag handle \"" + handle + "\"");
}

bool Parser::join_properties(Properties& into, const Properties& more) {
  if (into.has_anchor && more.has_anchor) return fail(more.begin, "a node cannot have two anchors");
  if (into.has_tag && more.has_tag) return fail(more.begin, "a node cannot have two tags");
  if (!into.any()) into.begin = more.begin;
  if (more.has_anchor) into.anchor = more.anchor;
  into.has_anchor |= more.has_anchor;
  into.has_tag |= more.has_tag;
  return true;
}

/// A non-block node; `one_line` if only its first line counts, as for a key.
bool Parser::inline_node(int indent, bool flow, bool one_line, std::size_t lead,
                         const Properties& props) {
  const char c = here();
  const bool block_plain = !flow && c != '"' && c != '\'' && c != '[' && c != '{';
  if (lenient() && !block_plain) indent = -1;
  switch (c) {
    case '*':
      return alias(lead, props);
    case '"':
    case '\'':
      return quoted(indent, lead, props);
    case '[':
    case '{':
      return flow_collection(indent, lead, props);
    default:
      return plain(indent, flow, one_line, lead, props);
  }
}

bool Parser::alias(std::size_t lead, const Properties& props) {
  const std::size_t begin = p_++;
  while (!is_space_or_end(here()) && !is_flow_indicator(here())) ++p_;
  const std::string_view name = text_.substr(begin + 1, p_ - begin - 1);
  if (name.empty()) return fail(begin, "alias has no name");
  if (props.any()) return fail(begin, "an alias cannot have an anchor or tag");
  const auto target = anchors_.find(name);
  if (target == anchors_.end())
    return fail(begin, "unknown anchor \"" + std::string(name) + "\" referenced");
  const NodeId id = add(Kind::kAlias, Style::kPlain, lead, begin, p_, props);
  nodes_[id].column = target->second;
  return true;
}

/// With p_ at a break inside a scalar, moves to the next line that has text. Returns false, without
/// an error and with p_ restored, if the scalar cannot continue there.
bool Parser::continue_line(int indent, bool closers_may_dedent) {
  const std::size_t p = p_, line = line_;
  while (is_break(here())) {
    next_line();
    while (here() == ' ') ++p_;
    const int spaces = column(p_);
    skip_blanks();
    if (is_break(here())) continue;
    const bool closer = closers_may_dedent && (here() == ']' || here() == '}');
    if (!at_end() && !is_marker(line_) && spaces > (closer ? indent - 1 : indent)) return true;
  }
  p_ = p;
  line_ = line;
  return false;
}

bool Parser::quoted(int indent, std::size_t lead, const Properties& props) {
  const std::size_t begin = p_;
  const char quote = here();
  const auto& stops = quote == '"' ? kDoubleStops : kSingleStops;
  bool verbatim = true;
  for (++p_;;) {
    while (!stops[static_cast<unsigned char>(here())]) ++p_;
    if (at_end()) return fail(begin, "unterminated quoted string");
    if (is_break(here())) {
      verbatim = false;
      if (!continue_line(indent, false) && text_.find(quote, p_) == std::string_view::npos)
        return fail(begin, "unterminated quoted string");
      if (is_break(here()))
        return fail(p_, "the next line of a quoted string is not indented enough");
    } else if (here() == '\\') {
      verbatim = false;
      if (!escape()) return false;
    } else if (quote == '\'' && at(p_ + 1) == '\'') {
      verbatim = false;
      p_ += 2;
    } else {
      ++p_;
      break;
    }
  }
  const NodeId id =
      add(Kind::kScalar, quote == '"' ? Style::kDouble : Style::kSingle, lead, begin, p_, props);
  nodes_[id].is_verbatim = verbatim;
  return true;
}

bool Parser::escape() {
  const std::size_t begin = p_;
  const char c = at(p_ + 1);
  const std::size_t digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
  if (digits == 0) {
    if (c == '\0' || (!is_break(c) &&
                      std::string_view("0abt\tnvfre \"/\\N_LP").find(c) == std::string_view::npos &&
                      !(c == '\'' && lenient())))
      return fail(
          begin,
          "unknown escape character in a double-quoted string; write \"\\\\\" for a backslash");
    p_ += is_break(c) ? 1 : 2;  // an escaped break goes through continue_line
    return true;
  }
  const auto code = [&](std::size_t from, std::size_t count) {
    std::uint32_t out = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const int digit = from + i < size_ ? hex_digit(at(from + i)) : -1;
      if (digit < 0) return 0xffffffffu;
      out = (out << 4) | static_cast<std::uint32_t>(digit);
    }
    return out;
  };
  const std::uint32_t first = code(p_ + 2, digits);
  p_ += 2 + digits;
  if (first > 0x10ffff) return fail(begin, "invalid Unicode character escape code");
  if (first < 0xd800 || first > 0xdfff) return true;
  // JSON writes characters beyond U+FFFF as two escapes.
  const bool pair = digits == 4 && first < 0xdc00 && text_.substr(p_, 2) == "\\u";
  const std::uint32_t second = pair ? code(p_ + 2, 4) : 0;
  if (second < 0xdc00 || second > 0xdfff)
    return fail(begin, "invalid escape: half of a surrogate pair");
  p_ += 6;
  return true;
}

bool Parser::plain(int indent, bool flow, bool one_line, std::size_t lead,
                   const Properties& props) {
  const std::size_t begin = p_;
  const char c = here();
  const char next = c == '\0' ? '\0' : at(p_ + 1);
  if (text_.substr(p_).starts_with(kByteOrderMark))
    return fail(p_, "byte order mark in the middle of the text; remove it");
  const bool safe = !is_space_or_end(next) && !(flow && is_flow_indicator(next));
  const bool indicator = kIndicators[static_cast<unsigned char>(c)];
  const bool lone_dash = lenient() && flow && c == '-' && is_flow_indicator(next);
  if (indicator && !((c == '-' || c == '?' || c == ':') && safe) && !lone_dash) {
    if (at_end()) return fail(p_, "unexpected end of text, expected a value");
    return fail(p_, "found character '" + std::string(1, c) +
                        "' that cannot start a value; quote the text");
  }

  const auto& stops = flow ? kFlowPlainStops : kPlainStops;
  std::size_t end = p_;
  int lines = 0;
  for (;; ++lines) {
    bool over = false;
    for (;; ++p_) {
      while (!stops[static_cast<unsigned char>(here())]) ++p_;
      const char stop = here();
      if (stop == ':') {
        const char behind = at(p_ + 1);
        over = is_space_or_end(behind) || (flow && is_flow_indicator(behind));
      } else if (stop == '#') {
        over = is_blank(at(p_ - 1)) || p_ == line_;
      } else {
        over = !is_break(stop);
        if (!over) break;
      }
      if (over) break;
    }
    std::size_t last = p_;
    while (last > begin && is_blank(at(last - 1))) --last;
    end = last;
    if (over || one_line || at_end()) break;
    if (!continue_line(indent, false)) break;
    const bool no_text =
        here() == '#' || (flow && is_flow_indicator(here())) ||
        (here() == ':' && (is_space_or_end(at(p_ + 1)) || (flow && is_flow_indicator(at(p_ + 1)))));
    if (no_text) break;
  }
  // Back to the end of the text, which may be several lines up.
  if (p_ != end) {
    p_ = end;
    if (line_ > p_) line_ = line_begin(text_, p_);
  }
  const NodeId id = add(Kind::kScalar, Style::kPlain, lead, begin, end, props);
  nodes_[id].is_verbatim = lines == 0;
  return true;
}

/// Skips blanks, comments and breaks inside a flow collection, whose lines must be indented.
bool Parser::flow_skip(int indent) {
  const std::size_t line = line_;
  skip();
  if (at_end()) return fail(p_, "'[' or '{' is not closed");
  if (line == line_) return true;
  if (is_marker(line_)) return fail(p_, "'[' or '{' is not closed before the document ends");
  int spaces = 0;
  while (at(line_ + static_cast<std::size_t>(spaces)) == ' ') ++spaces;
  // Closing brackets at their key's column are common, and all parsers in use accept them.
  const bool closer = here() == ']' || here() == '}';
  if (spaces < (closer ? indent : indent + 1))
    return fail(p_, "line inside '[' or '{' is not indented enough");
  return true;
}

bool Parser::is_flow_colon(bool adjacent) const {
  return here() == ':' &&
         (adjacent || is_space_or_end(at(p_ + 1)) || is_flow_indicator(at(p_ + 1)));
}

bool Parser::flow_collection(int indent, std::size_t lead, const Properties& props) {
  const std::size_t begin = p_;
  const bool map = here() == '{';
  if (++depth_ > options_.depth)
    return fail(p_, "nested deeper than " + std::to_string(options_.depth) + " levels");
  const NodeId id = add(map ? Kind::kMap : Kind::kSeq, Style::kFlow, lead, begin, begin, props);
  const char close = map ? '}' : ']';
  ++p_;
  for (;;) {
    if (!flow_skip(indent)) return false;
    if (here() == close) break;
    if (here() == ',') return fail(p_, "expected an entry before ','");
    if (!flow_entry(indent, map)) return false;
    if (!flow_skip(indent)) return false;
    if (here() == close) break;
    if (here() != ',') return fail(p_, std::string("did not find expected ',' or '") + close + "'");
    ++p_;
  }
  ++p_;
  nodes_[id].end = static_cast<std::uint32_t>(p_);
  close_collection(id);
  --depth_;
  return true;
}

bool Parser::flow_entry(int indent, bool map) {
  const NodeId key = static_cast<NodeId>(nodes_.size());
  const std::size_t begin = p_, line = line_;
  const auto as_pair = [&] {
    if (map) return key;
    return insert_collection(key, Kind::kMap, Style::kFlow, 0, std::string::npos, Properties{});
  };
  bool adjacent = false;
  if (is_indicator('?')) {
    const std::size_t mark = p_++;
    if (!flow_skip(indent)) return false;
    if (is_flow_colon(false) || here() == ',' || here() == ']' || here() == '}') {
      add_absent(mark, mark + 1, Properties{});
    } else if (!flow_node(indent, mark)) {
      return false;
    }
    if (!flow_skip(indent)) return false;
    const NodeId pair = as_pair();
    if (!flow_value(indent, map ? key : key + 1, false)) return false;
    return map || flow_pair(begin, pair);
  }
  if (is_flow_colon(false)) {
    add_absent(std::string::npos, p_, Properties{});
  } else {
    if (!flow_node(indent, std::string::npos)) return false;
    const Node& node = nodes_[key];
    adjacent = node.style == Style::kDouble || node.style == Style::kSingle || node.is_collection();
  }
  if (map) {
    if (!flow_skip(indent)) return false;
    return flow_value(indent, key, adjacent);
  }
  const std::size_t behind = p_;
  skip_blanks();
  if (!is_flow_colon(adjacent)) {
    p_ = behind;
    return true;
  }
  if (line != line_) return fail(p_, "a key inside '[' must be on one line");
  if (p_ - begin > 1024)
    return fail(begin, "a key longer than 1024 characters must start with '? '");
  const NodeId pair = as_pair();
  if (!flow_value(indent, key + 1, adjacent)) return false;
  return flow_pair(begin, pair);
}

/// Ends a single-pair map in a list without braces of its own.
bool Parser::flow_pair(std::size_t begin, NodeId pair) {
  Node& node = nodes_[pair];
  node.begin = node.props = node.lead = static_cast<std::uint32_t>(begin);
  close_collection(pair);
  const NodeId key = pair + 1;
  node.end = nodes_[nodes_[key].next].end;
  return true;
}

/// The value after a key, with p_ at its ':'; if there is no ':', the value is absent.
bool Parser::flow_value(int indent, NodeId key, bool adjacent) {
  if (!is_flow_colon(adjacent)) {
    add_absent(std::string::npos, nodes_[key].end, Properties{});
    return true;
  }
  const std::size_t colon = p_++;
  if (!flow_skip(indent)) return false;
  if (here() == ',' || here() == ']' || here() == '}') {
    add_absent(colon, colon + 1, Properties{});
    return true;
  }
  return flow_node(indent, colon);
}

bool Parser::flow_node(int indent, std::size_t lead) {
  Properties props;
  while (here() == '&' || here() == '!') {
    Properties more;
    more.begin = p_;
    if (!properties(more) || !join_properties(props, more)) return false;
    const std::size_t behind = p_;
    if (!flow_skip(indent)) return false;
    if (here() == ',' || here() == ']' || here() == '}' || is_flow_colon(false)) {
      add_absent(lead, behind, props);
      return true;
    }
  }
  return inline_node(indent, true, false, lead, props);
}

}  // namespace portico::yaml
