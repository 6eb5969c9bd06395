#include "merge/internal/comment_text.h"

#include <utility>

#include "json/text.h"

namespace portico::merge::internal {

std::vector<std::string_view> comment_lines(std::string_view text) {
  std::vector<std::string_view> comments;
  for (std::size_t at = text.find('#'); at != std::string_view::npos; at = text.find('#', at)) {
    const char before = at == 0 ? '\n' : text[at - 1];
    if (before != ' ' && before != '\t' && before != '\n') {
      ++at;
      continue;
    }
    const std::size_t end = std::min(text.find('\n', at), text.size());
    comments.push_back(text.substr(at, end - at));
    at = end;
  }
  return comments;
}

bool is_merge_key(std::string_view comment) {
  return comment.find("kpt-merge:") != std::string_view::npos;
}

std::optional<json::Value> schema_in_comment(std::string_view comment) {
  const std::size_t brace = comment.find_first_not_of("# \t");
  if (brace == std::string_view::npos || comment[brace] != '{') return {};
  auto schema = json::parse(comment.substr(brace));
  if (!schema) return {};
  for (const json::Member& member : schema->members())
    if (!member.name().starts_with('$') || member.name() == "$ref") return *std::move(schema);
  return {};
}

std::optional<json::Value> commented_schema(const krm::Object& object, const krm::Path& path) {
  auto schema = schema_in_comment(object.line_comment(path));
  return schema ? std::move(schema) : schema_in_comment(object.head_comment(path));
}

bool may_hold_schema(std::string_view text) {
  for (std::size_t at = text.find('{'); at != std::string_view::npos; at = text.find('{', at + 1)) {
    const std::size_t before = text.substr(0, at).find_last_not_of(" \t");
    if (before != std::string_view::npos && text[before] == '#') return true;
  }
  return false;
}

}  // namespace portico::merge::internal
