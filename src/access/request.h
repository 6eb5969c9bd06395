// Authorization requests and verdicts.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace portico::access {

/// An authenticated user; groups include system:authenticated.
struct User {
  std::string name;
  std::vector<std::string> groups;
  std::string uid = {};
  std::map<std::string, std::vector<std::string>> extra = {};

  bool is_in(std::string_view group) const;
  bool operator==(const User&) const = default;
};

/// Members may do anything, regardless of the rules.
inline constexpr std::string_view kMasters = "system:masters";
inline constexpr std::string_view kGroup = "rbac.authorization.k8s.io";

/// For a resource: its group ("" for the core group), version, plural name and subresource; the
/// name of the object ("" for lists and creates); its namespace ("" if cluster-scoped; for a
/// namespace itself, its own name). Otherwise the path.
struct Request {
  std::string
      verb;  // get, list, watch, create, update, patch, delete, ...; for paths in lower case
  std::string group = {}, version = {}, resource = {}, subresource = {}, name = {}, ns = {};
  bool is_resource = true;
  std::string path = {};

  bool operator==(const Request&) const = default;
};

/// `reason` is Kubernetes' text: which binding allows the request, or why the rules are incomplete;
/// it may be empty in both cases.
struct Verdict {
  bool allowed = false;
  std::string reason = {};
  bool operator==(const Verdict&) const = default;
};

/// "system:serviceaccount:NAMESPACE:NAME"
std::string service_account_user(std::string_view ns, std::string_view name);

}  // namespace portico::access
