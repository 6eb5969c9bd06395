// Removes credentials from messages.
#pragma once

#include <string>
#include <string_view>

namespace portico {

/// `text` with everything that has the form of a credential replaced by "***": logins in URLs; URL
/// queries and fragments that sound like one; what follows "Authorization:", "Bearer" and "Basic";
/// private keys in PEM; tokens with a known prefix (of AWS, GitHub, GitLab, ...; JWT); and values
/// of names such as "password", "token" or "--client-secret" unless they are ordinary words.
/// Applied to every message that leaves the process: conditions, events, logs, commits, plans,
/// output of functions and programs, the terminal; not to packages and objects. Idempotent; takes
/// time linear in the length.
std::string without_secrets(std::string_view text);

/// Names the part of a repository URL that is, or may be, a credential, for an error message:
/// "credentials" (any login for http and https, where a user name alone can be a token; for other
/// schemes only one with a password), "a query that looks like a credential", "a fragment"; "" for
/// none. A path and "git@host:path" have none.
std::string_view credential_in(std::string_view url);

/// The transport helper that git would run for a URL: "ext" for "ext::sh -c ..."; "" for none. The
/// text after it may be anything, including a command.
std::string_view transport_helper(std::string_view url);

}  // namespace portico
