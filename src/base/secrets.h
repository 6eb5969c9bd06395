// What must not be seen in messages.
#pragma once

#include <string>
#include <string_view>

namespace portico {

/// `text` without what is a credential by its form: logins in URLs, queries and fragments of URLs
/// that sound like one, what stands behind "Authorization:", "Bearer" and "Basic", private keys in
/// PEM, tokens that say by their first characters what they are (of AWS, GitHub, GitLab, ...; JWT),
/// and values of names such as "password", "token" or "--client-secret" unless they are ordinary
/// words. Each becomes "***". Run over every message that leaves the process: conditions, events,
/// logs, commits, plans, what functions and programs say, the terminal; not over packages and
/// objects. Idempotent; the time grows with the length alone.
std::string without_secrets(std::string_view text);

/// What in a URL of a repository is a credential, or may be one, for a message: "a login" (any for
/// http and https, where a name alone can be a token; one with a password for others), "a query
/// that sounds like a credential", "a fragment"; "" for none. A path and "git@host:path" have none.
std::string_view credential_in(std::string_view url);

/// The transport helper that git would run for a URL, as "ext" for "ext::sh -c ..."; "" for none.
/// What follows it may hold anything.
std::string_view transport_helper(std::string_view url);

}  // namespace portico
