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
  const std::size_t brace = comment.find('{');
  if (brace == std::string_view::npos) return {};
  if (comment.substr(0, brace).find_first_not_of("# \t") != std::string_view::npos) return {};
  auto schema = json::parse(comment.substr(brace));
  if (!schema || !schema->is_object()) return {};
  for (const char* word : {"$ref", "items", "properties", "x-kubernetes-patch-merge-key",
                           "x-kubernetes-patch-strategy", "x-kubernetes-list-type"})
    if (schema->contains(word)) return *std::move(schema);
  return {};
}

}  // namespace portico::merge::internal
