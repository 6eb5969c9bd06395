#include "access/impersonate.h"

#include <optional>

#include "access/forbidden.h"

namespace portico::access {
namespace {

constexpr std::string_view kAnonymous = "system:anonymous";
constexpr std::string_view kAuthenticated = "system:authenticated";
constexpr std::string_view kUnauthenticated = "system:unauthenticated";

struct ServiceAccount {
  std::string ns, name;
};

std::optional<ServiceAccount> service_account(std::string_view user) {
  constexpr std::string_view kPrefix = "system:serviceaccount:";
  if (!user.starts_with(kPrefix)) return std::nullopt;
  user.remove_prefix(kPrefix.size());
  const std::size_t colon = user.find(':');
  if (colon == std::string_view::npos || colon == 0 || colon + 1 == user.size() ||
      user.find(':', colon + 1) != std::string_view::npos)
    return std::nullopt;
  return ServiceAccount{std::string(user.substr(0, colon)), std::string(user.substr(colon + 1))};
}

Request of(std::string group, std::string resource, std::string name) {
  return {.verb = "impersonate",
          .group = std::move(group),
          .version = "v1",
          .resource = std::move(resource),
          .name = std::move(name)};
}

std::vector<Request> requests(const Impersonation& wanted) {
  std::vector<Request> out;
  if (const auto account = service_account(wanted.user)) {
    out.push_back(of("", "serviceaccounts", account->name));
    out.back().ns = account->ns;
  } else {
    out.push_back(of("", "users", wanted.user));
  }
  if (!wanted.uid.empty()) out.push_back(of("authentication.k8s.io", "uids", wanted.uid));
  for (const std::string& group : wanted.groups) out.push_back(of("", "groups", group));
  for (const auto& [key, values] : wanted.extra)
    for (const std::string& value : values) {
      out.push_back(of("authentication.k8s.io", "userextras", value));
      out.back().subresource = key;
    }
  return out;
}

}  // namespace

Result<User> impersonate(const Policy& policy, const User& who, const Impersonation& wanted) {
  if (wanted.user.empty())
    return invalid(
               "requested groups, uid or extra without impersonating a user: set the header "
               "Impersonate-User")
        .because(Reason::kBadRequest);
  for (const Request& request : requests(wanted)) PORTICO_DO(allow(policy, who, request));

  User user{.name = wanted.user, .groups = wanted.groups, .uid = wanted.uid, .extra = wanted.extra};
  if (const auto account = service_account(wanted.user); account && user.groups.empty())
    user.groups = {"system:serviceaccounts", "system:serviceaccounts:" + account->ns};
  const std::string_view group = user.name == kAnonymous ? kUnauthenticated : kAuthenticated;
  if (!user.is_in(group) && !user.is_in(kUnauthenticated)) user.groups.emplace_back(group);
  return user;
}

}  // namespace portico::access
