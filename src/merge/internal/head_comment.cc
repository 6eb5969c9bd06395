#include "merge/internal/head_comment.h"

#include <string>
#include <string_view>

namespace portico::merge::internal {
namespace {

struct Parts {
  std::string_view separator;  // a "---" line with its content; "" if there is none
  std::string_view head;       // blank lines, comments, and lines that end an empty document
  std::string_view rest;
};

std::string_view line_of(std::string_view text) {
  const std::size_t end = text.find('\n');
  return text.substr(0, end == std::string_view::npos ? text.size() : end + 1);
}

Parts parts_of(std::string_view text) {
  Parts out;
  if (text.starts_with("---")) out.separator = line_of(text);
  const std::string_view behind = text.substr(out.separator.size());
  std::size_t size = 0;
  while (size < behind.size()) {
    const std::string_view line = line_of(behind.substr(size));
    const std::size_t first = line.find_first_not_of(" \t\r\n");
    const bool ends_document = line.find_last_not_of(" \t\r\n") == 2 && line.starts_with("---");
    if (first != std::string_view::npos && line[first] != '#' && !ends_document) break;
    size += line.size();
  }
  out.head = behind.substr(0, size);
  out.rest = behind.substr(size);
  return out;
}

// Everything in the object's file or document before its first member.
std::string top_of(const krm::Object& object) {
  const std::string& text = object.text();
  return std::string(object.preamble()) + text.substr(0, text.size() - parts_of(text).rest.size());
}

// The comment without the blank lines around it.
std::string comment_of(const krm::Object& object) {
  const std::string top = top_of(object);
  const std::string_view head = parts_of(top).head;
  const std::size_t first = head.find('#');
  if (first == std::string_view::npos) return "";
  return std::string(head.substr(first, head.find_last_not_of(" \t\r\n") + 1 - first));
}

}  // namespace

krm::Object with_head_comment(const krm::Object& base, const krm::Object& theirs,
                              const krm::Object& ours, krm::Object merged) {
  const std::string before = comment_of(base);
  if (comment_of(theirs) == before || comment_of(ours) != before) return merged;
  // The comment's line breaks would not match the local ones.
  if (merged.text().find('\r') != std::string::npos) return merged;
  const std::string here = std::string(merged.preamble()) + merged.text();
  const std::string there = top_of(theirs);
  const Parts parts = parts_of(here);
  std::string text(parts.separator);
  // Above the resource itself: an empty document is not part of it.
  for (std::string_view head = parts_of(there).head; !head.empty();) {
    const std::string_view line = line_of(head);
    if (!line.starts_with("---")) text += line;
    head.remove_prefix(line.size());
  }
  text += parts.rest;
  auto changed = krm::Object::parse(text);
  return changed && changed->value() == merged.value() ? *std::move(changed) : merged;
}

}  // namespace portico::merge::internal
