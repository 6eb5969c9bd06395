// The static token file of kube-apiserver (--token-auth-file). Pure.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "access/request.h"
#include "base/result.h"

namespace portico::identity {

/// Users by the SHA-256 (hex) of their tokens, so that the timing of a lookup reveals nothing about
/// other tokens.
using TokenTable = std::map<std::string, access::User, std::less<>>;

/// Parses CSV lines `token,user,uid,"group1,group2"`. Columns from the fifth on and blank lines are
/// ignored. All users are in system:authenticated. kInvalid, with the line as place, for anything
/// else: fewer columns, an empty token or user, a duplicate token. Errors never contain a token.
Result<TokenTable> parse_token_file(std::string_view text);

}  // namespace portico::identity
