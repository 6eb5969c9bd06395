#include "yaml/internal/parser.h"

#include <algorithm>

namespace portico::yaml {
namespace {

/// The length of the UTF-8 sequence of a printable character at `at`, or 0.
std::size_t printable_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(at);
  if (first < 0x80)
    return (first >= 0x20 && first != 0x7f) || first == '\n' || first == '\r' || first == '\t';
  std::size_t length = 0;
  char32_t code = 0;
  if (first >= 0xc2 && first <= 0xdf) {
    length = 2, code = first & 0x1f;
  } else if (first >= 0xe0 && first <= 0xef) {
    length = 3, code = first & 0x0f;
  } else if (first >= 0xf0 && first <= 0xf4) {
    length = 4, code = first & 0x07;
  } else {
    return 0;
  }
  if (at + length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xc0) != 0x80) return 0;
    code = (code << 6) | (byte(at + i) & 0x3f);
  }
  if ((length == 3 && code < 0x800) || (length == 4 && (code < 0x10000 || code > 0x10ffff)))
    return 0;
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  const bool c1_control = code >= 0x80 && code <= 0x9f && code != 0x85;
  return surrogate || c1_control || code == 0xfffe || code == 0xffff ? 0 : length;
}

}  // namespace

std::string place_text(std::string_view text, std::size_t offset, std::size_t lines_before) {
  offset = std::min(offset, text.size());
  std::size_t line = lines_before + 1, begin = 0;
  for (std::size_t i = 0; i < offset;) {
    if (!is_break(text[i])) {
      ++i;
      continue;
    }
    const std::size_t behind = behind_break(text, i);
    if (behind > offset) break;
    ++line;
    begin = i = behind;
  }
  const auto columns = std::count_if(text.begin() + static_cast<std::ptrdiff_t>(begin),
                                     text.begin() + static_cast<std::ptrdiff_t>(offset),
                                     [](char c) { return (c & 0xc0) != 0x80; });
  return std::to_string(line) + ":" + std::to_string(columns + 1);
}

Parser::Parser(std::string_view text, const ParseOptions& options)
    : text_(text), size_(text.size()), options_(options) {}

bool Parser::fail(std::size_t where, std::string what) {
  error_ = invalid("{}", what).in(place_text(text_, where));
  return false;
}

Result<Done> Parser::check_characters() {
  if (size_ > options_.bytes)
    return invalid("{} bytes of YAML, more than the limit of {}", size_, options_.bytes);
  if (text_.starts_with("\xff\xfe") || text_.starts_with("\xfe\xff") ||
      text_.substr(0, 2) == std::string_view("\0", 1))
    return invalid("the text is not UTF-8 but seems to be UTF-16; convert it").in("1:1");
  constexpr std::size_t kBlock = 64;  // a constant, so that the compiler vectorizes the loop
  const char* const bytes = text_.data();
  for (std::size_t i = 0; i < size_;) {
    bool odd = size_ - i < kBlock;
    if (!odd) {
      unsigned char seen = 0;
      for (std::size_t k = 0; k < kBlock; ++k) {
        const auto c = static_cast<signed char>(bytes[i + k]);  // beyond ASCII: negative
        seen |= static_cast<unsigned char>((c < 0x20) & (c != '\n'));
        seen |= static_cast<unsigned char>(c == 0x7f);
      }
      odd = seen != 0;
    }
    const std::size_t end = std::min(i + kBlock, size_);
    while (odd && i < end) {
      const std::size_t length = printable_length(text_, i);
      if (length == 0)
        return invalid("byte 0x{:02x} is not printable UTF-8 text",
                       static_cast<unsigned char>(text_[i]))
            .in(place_text(text_, i));
      i += length;
    }
    i = std::max(i, end);
  }
  return Done{};
}

bool Parser::is_marker(std::size_t line) const {
  const std::string_view rest = text_.substr(line, 3);
  return (rest == "---" || rest == "...") && is_space_or_end(at(line + 3));
}

void Parser::next_line() {
  p_ = behind_break(text_, p_);
  line_ = p_;
}

void Parser::skip_blanks() {
  while (is_blank(here())) ++p_;
}

/// Moves p_ over blanks, comments and breaks; returns whether it crossed a break.
bool Parser::skip() {
  bool crossed = false;
  for (;;) {
    const char c = here();
    if (is_blank(c)) {
      ++p_;
    } else if (c == '#' && (p_ == line_ || is_blank(at(p_ - 1)) || lenient())) {
      p_ = line_end(text_, p_);
    } else if (is_break(c)) {
      next_line();
      crossed = true;
    } else {
      return crossed;
    }
  }
}

int Parser::fresh_column() const {
  bool tab = false;
  for (std::size_t i = line_; i < p_; ++i) {
    if (at(i) == '\t')
      tab = true;
    else if (at(i) != ' ')
      return kBusy;
  }
  return tab ? kTab : column(p_);
}

int Parser::leading_spaces() const {
  std::size_t i = line_;
  while (at(i) == ' ') ++i;
  return static_cast<int>(i - line_);
}

Result<Parser::Raw> Parser::next() {
  if (!checked_) PORTICO_DO(check_characters());
  checked_ = true;
  Raw raw;
  if (!document(raw)) return std::move(error_);
  return raw;
}

bool Parser::document(Raw& raw) {
  raw.begin = raw.body = raw.end = p_;
  nodes_.clear();
  anchors_.clear();
  anchored_.clear();
  tag_handles_ = {{"!", "!"}, {"!!", "tag:yaml.org,2002:"}};
  depth_ = 0;
  bool version = false, directives = false;
  for (;;) {
    if (text_.substr(p_).starts_with(kByteOrderMark)) {
      p_ += kByteOrderMark.size();
      line_ = p_;
      if (!directives) raw.body = p_;
    }
    skip();
    if (directives_allowed_ && here() == '%' && column(p_) == 0) {
      if (text_.substr(p_).starts_with("%YAML") && std::exchange(version, true))
        return fail(p_, "found duplicate %YAML directive");
      if (!directive()) return false;
      directives = true;
    } else if (at_marker() && here() == '.') {
      if (directives) return fail(p_, "directives must be followed by '---'");
      if (!close_document(raw)) return false;
      raw.body = p_;
    } else {
      break;
    }
  }
  if (at_end()) {
    if (directives) return fail(p_, "directives must be followed by '---'");
    raw.end = size_;
    return true;
  }

  raw.explicit_start = at_marker();
  if (!raw.explicit_start && directives) return fail(p_, "directives must be followed by '---'");
  const std::size_t lead = p_;
  if (raw.explicit_start) {
    p_ += 3;
    skip_blanks();
    const bool only_separates =
        is_break(here()) || at_end() || (here() == '#' && is_blank(at(p_ - 1)));
    if (only_separates && !directives) raw.body = behind_break(text_, line_end(text_, p_));
    p_ = lead + 3;
  }
  if (!block_node(-1, raw.explicit_start ? Place::kMarker : Place::kBare, lead)) return false;

  skip();
  raw.end = line_;
  directives_allowed_ = false;
  if (at_end()) {
    raw.end = size_;
  } else if (at_marker()) {
    if (here() == '.') {
      raw.explicit_end = true;
      if (!close_document(raw)) return false;
    }
  } else {
    return fail(p_, "unexpected text: check indentation and quotes");
  }
  raw.nodes.assign(nodes_.begin(), nodes_.end());  // allocates exactly the memory needed
  raw.tag_handles = std::move(tag_handles_);
  return true;
}

/// Only a comment may follow "...".
bool Parser::close_document(Raw& raw) {
  p_ += 3;
  skip_blanks();
  if (here() == '#' && is_blank(at(p_ - 1))) p_ = line_end(text_, p_);
  if (!at_end() && !is_break(here())) return fail(p_, "only a comment may follow '...'");
  next_line();
  directives_allowed_ = true;
  raw.end = p_;
  return true;
}

bool Parser::directive() {
  const std::size_t begin = p_, end = line_end(text_, p_);
  std::vector<std::string_view> words;
  while (p_ < end) {
    const std::size_t word = p_;
    while (p_ < end && !is_blank(here())) ++p_;
    const std::string_view text = text_.substr(word, p_ - word);
    if (text.starts_with('#') && !words.empty()) break;
    words.push_back(text);
    while (p_ < end && is_blank(here())) ++p_;
  }
  p_ = end;
  if (words[0] == "%YAML") {
    const bool form = words.size() == 2 && words[1].size() >= 3 && is_digit(words[1][0]) &&
                      words[1][1] == '.' &&
                      std::all_of(words[1].begin() + 2, words[1].end(), is_digit);
    if (!form) return fail(begin, "invalid %YAML directive: must be \"%YAML 1.2\"");
    if (words[1][0] != '1')
      return fail(begin, "YAML " + std::string(words[1]) + " is not supported, only 1.x");
  } else if (words[0] == "%TAG") {
    const bool form = words.size() == 3 && words[1].front() == '!' && words[1].back() == '!';
    if (!form) return fail(begin, "invalid %TAG directive: must be \"%TAG !handle! prefix\"");
    for (auto& [handle, prefix] : tag_handles_) {
      if (handle != words[1]) continue;
      if (handle != "!" && handle != "!!")
        return fail(begin, "found duplicate %TAG directive for \"" + handle + "\"");
      prefix = words[2];
      return true;
    }
    tag_handles_.emplace_back(words[1], words[2]);
  } else if (words[0] == "%") {
    return fail(begin, "directive has no name");
  }
  return true;
}

NodeId Parser::add(Kind kind, Style style, std::size_t lead, std::size_t begin, std::size_t end,
                   const Properties& props) {
  const NodeId id = static_cast<NodeId>(nodes_.size());
  Node& node = nodes_.emplace_back();  // filled in place: a copy takes a tenth of the parse time
  node.begin = static_cast<std::uint32_t>(begin);
  node.end = static_cast<std::uint32_t>(end);
  node.props = props.any() ? static_cast<std::uint32_t>(props.begin) : node.begin;
  node.lead = lead == std::string::npos ? node.props : static_cast<std::uint32_t>(lead);
  node.next = id + 1;
  node.kind = kind;
  node.style = style;
  node.has_anchor = props.has_anchor;
  node.has_tag = props.has_tag;
  if (props.has_anchor) set_anchor(props.anchor, id);
  return id;
}

void Parser::set_anchor(std::string_view name, NodeId id) {
  anchors_.insert_or_assign(name, id);
  anchored_.emplace_back(name, id);
}

NodeId Parser::add_absent(std::size_t lead, std::size_t where, const Properties& props) {
  const NodeId id = add(Kind::kScalar, Style::kPlain, lead, where, where, props);
  nodes_[id].is_verbatim = true;
  return id;
}

/// Inserts a collection before nodes that turned out to be its first key.
NodeId Parser::insert_collection(NodeId before, Kind kind, Style style, int col, std::size_t lead,
                                 const Properties& props) {
  const std::size_t begin = before < nodes_.size() ? nodes_[before].props : p_;
  const NodeId last = add(kind, style, lead, begin, begin, Properties{});
  std::rotate(nodes_.begin() + before, nodes_.begin() + last, nodes_.end());
  Node& node = nodes_[before];
  node.column = static_cast<std::uint32_t>(col);
  node.next = before + 1;
  if (props.any()) {
    node.props = static_cast<std::uint32_t>(props.begin);
    node.has_anchor = props.has_anchor;
    node.has_tag = props.has_tag;
  }
  if (lead == std::string::npos) node.lead = node.props;
  for (NodeId id = before + 1; id < nodes_.size(); ++id) {
    Node& moved = nodes_[id];
    ++moved.next;
    if (moved.kind == Kind::kAlias && moved.column >= before) ++moved.column;
  }
  // The moved nodes were parsed last. An anchor may by now refer to a later node of the same name.
  for (auto one = anchored_.rbegin(); one != anchored_.rend() && one->second >= before; ++one) {
    NodeId& named = anchors_.at(one->first);
    if (named == one->second) ++named;
    ++one->second;
  }
  // An anchor of the same name in the key comes later in the text, and the last one counts.
  if (props.has_anchor) {
    const auto named = anchors_.find(props.anchor);
    if (named == anchors_.end() || named->second < before) set_anchor(props.anchor, before);
  }
  if (nodes_.size() > before + 1) nodes_[before + 1].lead = nodes_[before + 1].props;
  return before;
}

void Parser::close_collection(NodeId id) {
  Node& node = nodes_[id];
  node.next = static_cast<NodeId>(nodes_.size());
  if (node.style != Style::kBlock) return;
  for (NodeId child = id + 1; child < node.next; child = nodes_[child].next)
    node.end = nodes_[child].end;
}

}  // namespace portico::yaml
