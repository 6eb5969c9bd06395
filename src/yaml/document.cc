#include "yaml/document.h"

#include "yaml/internal/parser.h"

namespace portico::yaml {

/// Makes documents from the parser's output.
struct StreamReader {
  static Document document(std::string text, Parser::Raw raw, std::size_t lines_before = 0) {
    const auto shift = static_cast<std::uint32_t>(raw.body);
    Document out;
    out.text_ = std::move(text);
    out.nodes_ = std::move(raw.nodes);
    if (out.nodes_.empty())
      out.nodes_.push_back({.next = 1, .is_verbatim = true});
    else if (shift != 0) {
      for (Node& node : out.nodes_) {
        // A bare "---" is not part of the text, but is the lead of its root.
        node.lead = node.lead < shift ? 0 : node.lead - shift;
        node.props -= shift;
        node.begin -= shift;
        node.end -= shift;
      }
    }
    out.tag_handles_ = std::move(raw.tag_handles);
    out.explicit_start_ = raw.explicit_start;
    out.explicit_end_ = raw.explicit_end;
    out.lines_before_ = lines_before;
    return out;
  }
};

Result<Document> Document::parse(std::string text, const ParseOptions& options) {
  Parser parser(text, options);
  PORTICO_TRY(Parser::Raw raw, parser.next());
  if (!raw.nodes.empty()) {
    PORTICO_TRY(const Parser::Raw more, parser.next());
    if (!more.nodes.empty())
      return invalid("expected a single document, found a second one")
          .in(place_text(text, more.begin));
  }
  raw.body = 0;
  return StreamReader::document(std::move(text), std::move(raw));
}

Result<std::vector<StreamPart>> parse_stream(std::string_view stream, const ParseOptions& options) {
  const std::string text(stream);
  Parser parser(text, options);
  std::vector<StreamPart> parts;
  std::string before;
  std::size_t lines = 0, counted = 0;
  for (;;) {
    PORTICO_TRY(Parser::Raw raw, parser.next());
    const std::string_view whole = std::string_view(text).substr(raw.begin, raw.end - raw.begin);
    const bool last = raw.nodes.empty();
    const bool absent =
        !last && raw.nodes[0].is_absent() && raw.nodes[0].props == raw.nodes[0].begin;
    if (last || absent) {
      before += whole;
      if (!last) continue;
      if (!parts.empty()) parts.back().after = std::move(before);
      return parts;
    }
    if (raw.nodes[0].begin < raw.body) raw.body = raw.begin;
    const std::size_t head = raw.body - raw.begin;
    before += whole.substr(0, head);
    std::string body(whole.substr(head));
    lines += count_breaks(text, counted, raw.body);
    counted = raw.body;
    Document document = StreamReader::document(std::move(body), std::move(raw), lines);
    parts.push_back({std::move(before), std::move(document), ""});
    before.clear();
  }
}

Result<std::vector<Document>> parse_documents(std::string_view stream,
                                              const ParseOptions& options) {
  const std::string text(stream);
  Parser parser(text, options);
  std::vector<Document> documents;
  for (;;) {
    PORTICO_TRY(Parser::Raw raw, parser.next());
    if (raw.nodes.empty()) return documents;
    raw.body = raw.begin;
    std::string body = text.substr(raw.begin, raw.end - raw.begin);
    documents.push_back(StreamReader::document(std::move(body), std::move(raw)));
  }
}

std::size_t Document::child_count(NodeId parent) const {
  std::size_t count = 0;
  for (NodeId id = parent + 1; id < nodes_[parent].next; id = nodes_[id].next) ++count;
  return count;
}

std::string Document::place(std::size_t offset) const {
  return place_text(text_, offset, lines_before_);
}

namespace {

/// The node property that begins with `mark`, including the mark.
std::string_view property(std::string_view text, const Node& node, char mark) {
  std::size_t at = node.props;
  while (at < node.begin) {
    const char c = text[at];
    if (c == '#') {
      at = line_end(text, at);
    } else if (c == '&' || c == '!') {
      const std::size_t begin = at;
      while (at < node.begin && !is_space_or_end(text[at])) ++at;
      if (c == mark) return text.substr(begin, at - begin);
    } else {
      ++at;
    }
  }
  return {};
}

std::string percent_decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const int high = text[i] == '%' && i + 2 < text.size() ? hex_digit(text[i + 1]) : -1;
    const int low = high >= 0 ? hex_digit(text[i + 2]) : -1;
    if (low >= 0) {
      out += static_cast<char>(high * 16 + low);
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

}  // namespace

std::string_view Document::anchor(NodeId id) const {
  const Node& node = nodes_[id];
  if (node.kind == Kind::kAlias) return source(id).substr(1);
  return node.has_anchor ? property(text_, node, '&').substr(1) : std::string_view();
}

std::string Document::tag(NodeId id) const {
  if (!nodes_[id].has_tag) return "";
  const std::string_view word = property(text_, nodes_[id], '!');
  if (word == "!") return "!";
  if (word.starts_with("!<")) return std::string(word.substr(2, word.size() - 3));
  const std::size_t handle_end = word.find('!', 1);
  const std::string_view handle =
      handle_end == std::string_view::npos ? word.substr(0, 1) : word.substr(0, handle_end + 1);
  for (const auto& [known, prefix] : tag_handles_)
    if (known == handle) return prefix + percent_decoded(word.substr(handle.size()));
  return std::string(word);
}

std::string Document::scalar(NodeId id) const {
  std::string scratch;
  return std::string(scalar(id, scratch));
}

}  // namespace portico::yaml
