#include "yaml/rearrange.h"

#include <algorithm>
#include <string_view>

#include "yaml/internal/chars.h"
#include "yaml/internal/extent.h"

namespace portico::yaml {
namespace {

/// A range of the old text with its replacement.
struct Region {
  std::size_t begin = 0, end = 0;
  std::string text;
};

struct Entry {
  NodeId id = kNoNode;
  std::size_t begin = 0, end = 0;
  bool in_line = false;
};

std::string_view without_break(std::string_view text) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  if (text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

void strip_blanks(std::string& text) {
  while (!text.empty() && is_blank(text.back())) text.pop_back();
}

class Writer {
 public:
  Writer(const Document& document, const Rearrangement& changes)
      : document_(document), changes_(changes), text_(document.text()) {
    const std::size_t first = line_end(text_, 0);
    if (first < text_.size()) newline_ = text_.substr(first, behind_break(text_, first) - first);
  }

  Region node(NodeId id) const {
    const Node& at = document_[id];
    if (!at.is_collection() || document_.first_child(id) == kNoNode) {
      const auto source = changes_.sources.find(id);
      if (source != changes_.sources.end()) return {at.begin, at.end, source->second};
      return {at.begin, at.end, unmoved_end(at, std::string(document_.source(id)))};
    }
    return at.style == Style::kFlow ? flow(id) : block(id);
  }

 private:
  /// A block scalar whose last line has no break gets one when it moves; its header must then say
  /// that the break does not count.
  std::string unmoved_end(const Node& node, std::string source) const {
    if (!node.is_block_scalar() || node.end < text_.size() || source.ends_with('\n')) return source;
    const std::string_view header = std::string_view(source).substr(0, line_end(source, 0));
    if (header.find_first_of("+-") == std::string_view::npos) source.insert(1, "-");
    return source;
  }

  std::vector<NodeId> children(NodeId id) const {
    std::vector<NodeId> out;
    for (NodeId child = id + 1; child < document_[id].next;) {
      out.push_back(child);
      child = document_[child].next;
      if (document_[id].kind == Kind::kMap) child = document_[child].next;
    }
    return out;
  }

  /// The text of an entry, including changes to its value.
  std::string entry(NodeId parent, const Entry& one) const {
    const NodeId value = document_[parent].kind == Kind::kMap ? document_[one.id].next : one.id;
    Region inner = node(value);
    const std::size_t begin = std::clamp(inner.begin, one.begin, one.end);
    const std::size_t end = std::clamp(inner.end, begin, one.end);
    std::string out(text_.substr(one.begin, begin - one.begin));
    if (inner.text.starts_with('\n') || inner.text.starts_with('\r')) strip_blanks(out);
    return out + inner.text + std::string(text_.substr(end, one.end - end));
  }

  /// Indices of the entries in the new order.
  std::vector<std::size_t> order_of(NodeId parent, const std::vector<Entry>& entries) const {
    std::vector<std::size_t> out;
    const auto order = changes_.order.find(parent);
    for (std::size_t i = 0; i < entries.size(); ++i) {
      std::size_t from = i;
      if (order != changes_.order.end())
        while (entries[from].id != order->second[i])
          from = from + 1 < entries.size() ? from + 1 : 0;
      out.push_back(from);
    }
    return out;
  }

  Region block(NodeId id) const {
    std::vector<Entry> entries;
    NodeId before = kNoNode;
    for (const NodeId child : children(id)) {
      const Extent extent = extent_of(document_, id, child, before);
      const std::size_t least = entries.empty() ? extent.begin : entries.back().end;
      entries.push_back({child, std::max(extent.begin, least), extent.end, extent.in_line});
      before = child;
    }
    const std::string margin(document_[id].column, ' ');
    const bool open_end = !text_.substr(0, entries.back().end).ends_with('\n') &&
                          !text_.substr(0, entries.back().end).ends_with('\r');
    Region out{entries.front().begin, entries.back().end, ""};
    const auto order = order_of(id, entries);
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const Entry& from = entries[order[i]];
      std::string text(without_break(entry(id, from)));
      if (i == 0 && entries.front().in_line && !from.in_line) {
        const std::size_t first = std::min(text.find_first_not_of(" \t"), text.size());
        if (first < text.size() && text[first] == '#') {
          text = newline_ + text;
        } else {
          text.erase(0, first);
        }
      } else if (i > 0 && from.in_line) {
        text = margin + text;
      }
      out.text += text;
      const bool last = i + 1 == entries.size();
      if (!last || !open_end) out.text += newline_;
      if (!last) out.text += text_.substr(entries[i].end, entries[i + 1].begin - entries[i].end);
    }
    return out;
  }

  Region flow(NodeId id) const {
    std::vector<Entry> entries;
    for (const NodeId child : children(id))
      entries.push_back({child, document_[child].lead, content_end(document_, id, child), true});
    Region out{entries.front().begin, entries.back().end, ""};
    std::vector<std::size_t> order = order_of(id, entries);
    if (has_break(text_, out.begin, out.end))
      for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      out.text += entry(id, entries[order[i]]);
      if (i + 1 < entries.size())
        out.text += text_.substr(entries[i].end, entries[i + 1].begin - entries[i].end);
    }
    return out;
  }

  const Document& document_;
  const Rearrangement& changes_;
  std::string_view text_;
  std::string newline_ = "\n";
};

}  // namespace

std::string rearranged(const Document& document, const Rearrangement& changes) {
  const Region root = Writer(document, changes).node(Document::root());
  const std::string& text = document.text();
  std::string head = text.substr(0, root.begin);
  if (head.find_first_not_of(" \t\r\n") == std::string::npos) head.clear();
  return head + root.text + text.substr(root.end);
}

}  // namespace portico::yaml
