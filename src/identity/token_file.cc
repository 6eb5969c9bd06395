#include "identity/token_file.h"

#include <algorithm>
#include <vector>

#include "base/hash.h"

namespace portico::identity {
namespace {

constexpr std::size_t kMostBytes = 16u << 20;
constexpr std::string_view kBlanks = " \t";

// Removes one RFC 4180 record from the front of `text` and adds the lines it spans to `lines`.
Result<std::vector<std::string>> take_record(std::string_view& text, std::size_t& lines) {
  std::vector<std::string> fields(1);
  bool quoted = false, was_quoted = false;
  std::size_t at = 0;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (quoted) {
      if (c == '\n') ++lines;
      if (c != '"') {
        fields.back() += c;
      } else if (at + 1 < text.size() && text[at + 1] == '"') {
        fields.back() += '"';
        ++at;
      } else {
        quoted = false;
      }
    } else if (c == '"') {
      if (!fields.back().empty() || was_quoted) return invalid("'\"' in the middle of a field");
      quoted = was_quoted = true;
    } else if (c == ',') {
      fields.emplace_back();
      was_quoted = false;
    } else if (c == '\n') {
      break;
    } else if (c == '\r' && (at + 1 == text.size() || text[at + 1] == '\n')) {
      continue;
    } else if (was_quoted) {
      return invalid("text after a quoted field");
    } else {
      fields.back() += c;
    }
  }
  if (quoted) return invalid("unterminated quote");
  text.remove_prefix(std::min(at + 1, text.size()));
  ++lines;
  return fields;
}

std::vector<std::string> groups_of(std::string_view text) {
  std::vector<std::string> groups;
  const auto add = [&](std::string_view group) {
    const std::size_t begin = group.find_first_not_of(kBlanks);
    if (begin == std::string_view::npos) return;
    const std::string name(group.substr(begin, group.find_last_not_of(kBlanks) + 1 - begin));
    if (std::find(groups.begin(), groups.end(), name) == groups.end()) groups.push_back(name);
  };
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    add(text.substr(0, comma));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  add("system:authenticated");
  return groups;
}

}  // namespace

Result<TokenTable> parse_token_file(std::string_view text) {
  if (text.size() > kMostBytes) return invalid("the token file has more than {} bytes", kMostBytes);
  TokenTable table;
  std::size_t lines = 0;
  while (!text.empty()) {
    const std::string place = "line " + std::to_string(lines + 1);
    PORTICO_TRY(const std::vector<std::string> fields, take_record(text, lines), place);
    if (fields.size() == 1 && fields[0].find_first_not_of(kBlanks) == std::string::npos) continue;
    if (fields.size() < 3)
      return invalid("a token must have at least 3 columns (token, user name, user uid), found {}",
                     fields.size())
          .in(place);
    if (fields[0].empty()) return invalid("the token is empty").in(place);
    if (fields[1].empty()) return invalid("the user name is empty").in(place);
    access::User user{.name = fields[1],
                      .groups = groups_of(fields.size() > 3 ? fields[3] : std::string()),
                      .uid = fields[2]};
    if (!table.emplace(sha256_hex(fields[0]), std::move(user)).second)
      return invalid("duplicate token").in(place);
  }
  return table;
}

}  // namespace portico::identity
