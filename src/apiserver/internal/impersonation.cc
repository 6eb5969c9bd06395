#include "apiserver/internal/impersonation.h"

#include <algorithm>
#include <string_view>

#include "http/escape.h"

namespace portico::apiserver {

Result<access::Impersonation> impersonation_of(const http::Headers& headers) {
  constexpr std::string_view kExtra = "Impersonate-Extra-";
  access::Impersonation out;
  out.user = headers.get("Impersonate-User");
  out.uid = headers.get("Impersonate-Uid");
  for (const std::string_view group : headers.all("Impersonate-Group"))
    out.groups.emplace_back(group);
  for (const http::HeaderField& field : headers) {
    const std::string_view name = field.name;
    if (name.size() <= kExtra.size() || !http::same_name(name.substr(0, kExtra.size()), kExtra))
      continue;
    std::string lower(name.substr(kExtra.size()));
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    auto key = http::percent_decode(lower);
    if (!key)
      return invalid("the header \"{}\" cannot be decoded: {}", name, key.error().what)
          .because(Reason::kBadRequest);
    out.extra[*key].push_back(field.value);
  }
  return out;
}

}  // namespace portico::apiserver
