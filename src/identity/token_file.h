// The static token file of kube-apiserver (--token-auth-file). Pure.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "access/request.h"
#include "base/result.h"

namespace portico::identity {

/// Users by the SHA-256 (hex) of their tokens, so that looking one up tells nothing of others by
/// the time that it takes.
using TokenTable = std::map<std::string, access::User, std::less<>>;

/// Lines `token,user,uid,"group1,group2"` in CSV; columns from the fifth on are not read, blank
/// lines are skipped. All users are in system:authenticated. kInvalid with the line as place for
/// anything else: fewer columns, an empty token or user, a token that is there twice. No error
/// shows a token.
Result<TokenTable> parse_token_file(std::string_view text);

}  // namespace portico::identity
