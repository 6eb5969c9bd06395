// What must not be seen in messages.
#pragma once

#include <string>
#include <string_view>

namespace portico {

/// `text` without logins in URLs, queries of URLs that sound like credentials, and what stands
/// behind "Authorization:", "Bearer" and "Basic". Run over every message that leaves the process:
/// conditions, events, logs, commits, plans, the terminal. Idempotent.
std::string without_secrets(std::string_view text);

/// Whether a URL has a login that is a secret: any for http and https (a name alone can be a
/// token), one with a password for others. A path and "git@host:path" have none.
bool has_login(std::string_view url);

}  // namespace portico
