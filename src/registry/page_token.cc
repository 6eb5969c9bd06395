#include "registry/page_token.h"

#include <array>
#include <charconv>

namespace portico::registry {
namespace {

constexpr std::string_view kForm = "v1";

}  // namespace

std::string PageToken::text() const {
  return fmt::format("{}/{}/{}/{}/{}/{}", kForm, version, last.type.group, last.type.kind, last.ns,
                     last.name);
}

Result<PageToken> parse_page_token(std::string_view text) {
  Error wrong =
      invalid("\"{}\" is not a continue token of this server; list again without it", text)
          .because(Reason::kBadRequest);
  std::array<std::string_view, 6> parts;
  std::string_view rest = text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::size_t end = rest.find('/');
    if ((end == std::string_view::npos) != (i + 1 == parts.size())) return wrong;
    parts[i] = rest.substr(0, end);
    if (end != std::string_view::npos) rest.remove_prefix(end + 1);
  }
  PageToken out;
  const std::string_view number = parts[1];
  const auto [end, failed] =
      std::from_chars(number.data(), number.data() + number.size(), out.version);
  if (parts[0] != kForm || failed != std::errc() || end != number.data() + number.size() ||
      parts[3].empty() || parts[5].empty())
    return wrong;
  out.last = {
      {std::string(parts[2]), std::string(parts[3])}, std::string(parts[4]), std::string(parts[5])};
  return out;
}

}  // namespace portico::registry
