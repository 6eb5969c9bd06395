// Impersonation of other users. Pure.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "access/policy.h"
#include "access/request.h"
#include "base/result.h"

namespace portico::access {

/// The content of the headers Impersonate-User, -Uid, -Group and -Extra-*; the keys of `extra` are
/// in lower case. "system:serviceaccount:NS:NAME" is a service account.
struct Impersonation {
  std::string user = {}, uid = {};
  std::vector<std::string> groups = {};
  std::map<std::string, std::vector<std::string>> extra = {};

  bool is_asked_for() const {
    return !user.empty() || !uid.empty() || !groups.empty() || !extra.empty();
  }
};

/// The impersonated user: `who` needs the verb `impersonate` for the user, and for each group, uid
/// and extra value. If no groups are given, a service account gets its own; all users except
/// system:anonymous are in system:authenticated, unless system:unauthenticated was requested.
/// Reason::kForbidden as for any request; Reason::kBadRequest if groups, uid or extra are given
/// without a user.
Result<User> impersonate(const Policy& policy, const User& who, const Impersonation& wanted);

}  // namespace portico::access
