// Acting as somebody else. Pure.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "access/policy.h"
#include "access/request.h"
#include "base/result.h"

namespace portico::access {

/// What the headers Impersonate-User, -Uid, -Group and -Extra-* ask for; the keys of `extra` are in
/// small letters. "system:serviceaccount:NS:NAME" is a service account.
struct Impersonation {
  std::string user = {}, uid = {};
  std::vector<std::string> groups = {};
  std::map<std::string, std::vector<std::string>> extra = {};

  bool is_asked_for() const {
    return !user.empty() || !uid.empty() || !groups.empty() || !extra.empty();
  }
};

/// The user that `who` acts as: who needs the verb `impersonate` for the user, and for each group,
/// uid and extra value. Without groups a service account has its own; all but system:anonymous are
/// in system:authenticated, unless system:unauthenticated was asked for. Reason::kForbidden as for
/// any request; Reason::kBadRequest where groups, uid or extra are asked for without a user.
Result<User> impersonate(const Policy& policy, const User& who, const Impersonation& wanted);

}  // namespace portico::access
