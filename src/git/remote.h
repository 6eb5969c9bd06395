// Fetches from and pushes to remote repositories with the git program. Each operation is a span
// (base/tracer.h).
#pragma once

#include <chrono>
#include <span>
#include <string>

#include "base/result.h"
#include "base/stop.h"
#include "git/store.h"

namespace portico::git {

/// Address and credentials of a remote. Credentials are passed to git in its environment, so they
/// never appear in command lines, files or messages.
struct RemoteAddress {
  std::string url;  // https://, http://, ssh://, git://, file:// or scp form; without user:password
  std::string username, password;      // http(s)
  std::string bearer_token;            // http(s), instead of username and password
  std::chrono::seconds patience{600};  // for the whole of one fetch or push
  std::chrono::seconds silence{20};    // without any progress; longer for a push (hooks)
  Stop stopped{};                      // true: the running operation ends with kUnavailable
};

/// Splits a URL into the address and the user name and password it may contain. Other forms are
/// returned unchanged. kInvalid for anything that git could take for an option or a helper program.
Result<RemoteAddress> parse_remote(const std::string& url);

/// Makes the branches and tags of the bare repository `folder` equal to those of the remote and
/// removes all others; refs elsewhere (refs/portico/) are kept. kUnavailable: not reachable;
/// refused(): bad credentials or no such repository; kInternal: objects of `folder` itself are
/// damaged.
Result<Done> fetch(const std::string& folder, const RemoteAddress& remote);

/// Fetches one ref and its objects from the repository `from` on this machine, under the same name.
/// Time limits and `stopped` are taken from `limits`.
Result<Done> take_ref(const std::string& folder, const std::string& from, const std::string& ref,
                      const RemoteAddress& limits);

/// Like fetch(), into a mirror that only Portico writes to: removes locks that a killed git left
/// behind and retries the fetch once. Call fetch_into_mirror() inside Store::exclusively or while
/// holding the WriterLock; fetch_alone() is for mirrors without a Store and waits for other
/// writers.
Result<Done> fetch_into_mirror(const std::string& folder, const RemoteAddress& remote);
Result<Done> fetch_alone(const std::string& folder, const RemoteAddress& remote);

/// The branch that the remote's HEAD refers to ("main"); kNotFound if it refers to none. Other
/// codes as for fetch().
Result<std::string> default_branch(const RemoteAddress& remote);

/// Whether the remote has the ref ("refs/heads/main"), without fetching it. Codes as for fetch().
Result<bool> has_ref(const RemoteAddress& remote, const std::string& ref);

/// Changes refs of the remote, all or none, each only if its value there is `before`. The objects
/// are in `folder`. kConflict: a ref has another value; kUnavailable, refused() also if a ref stays
/// locked.
Result<Done> push(const std::string& folder, const RemoteAddress& remote,
                  std::span<const RefChange> changes);

}  // namespace portico::git
