#include "engine/members_share.h"

#include <cctype>

namespace portico::engine {

std::string member_name(std::string_view own_name) {
  constexpr std::size_t kMost = 200;  // a name may have 253
  std::string out = "portico-member-";
  for (const char c : own_name) {
    const auto byte = static_cast<unsigned char>(c);
    out += std::isalnum(byte) != 0 && byte < 0x80 ? static_cast<char>(std::tolower(byte)) : '-';
  }
  // Keeps the end, which distinguishes processes on one host.
  if (out.size() > kMost) out.erase(kMost / 2, out.size() - kMost);
  return out;
}

void MembersShare::set(std::vector<std::string> members) {
  members_.with([&](auto& now) { now = std::move(members); });
  listeners_.notify();
}

bool MembersShare::has(std::string_view unit) const {
  if (lives_ && !lives_()) return false;
  return members_.with([&](const std::vector<std::string>& members) {
    return controllers::owner_of(unit, members) == member_;
  });
}

}  // namespace portico::engine
