#include "access/request.h"

#include <fmt/format.h>

#include <algorithm>

namespace portico::access {

bool User::is_in(std::string_view group) const {
  return std::find(groups.begin(), groups.end(), group) != groups.end();
}

std::string service_account_user(std::string_view ns, std::string_view name) {
  return fmt::format("system:serviceaccount:{}:{}", ns, name);
}

}  // namespace portico::access
