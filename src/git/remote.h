// Fetching from and pushing to a repository elsewhere, with the git program. Each is a span
// (base/tracer.h).
#pragma once

#include <chrono>
#include <span>
#include <string>

#include "base/result.h"
#include "base/stop.h"
#include "git/store.h"

namespace portico::git {

/// Where a remote is and how to get in. Names and secrets reach git in its environment: they are in
/// no command line, file or message.
struct RemoteAddress {
  std::string url;  // https://, http://, ssh://, git://, file:// or scp form; without user:password
  std::string username, password;      // http(s)
  std::string bearer_token;            // http(s), instead of them
  std::chrono::seconds patience{600};  // for the whole of one fetch or push
  std::chrono::seconds silence{20};    // without any progress; a push waits longer, for hooks
  Stop stopped{};                      // true: what is under way ends with kUnavailable
};

/// A URL split from the name and password that may stand in it. Other forms are handed back as they
/// are. kInvalid for what git could take for an option or a helper program.
Result<RemoteAddress> parse_remote(const std::string& url);

/// Makes the branches and tags of the bare repository `folder` those of the remote, removing
/// others; refs elsewhere (refs/portico/) stay. kUnavailable: not reached; kInvalid: refused
/// (credentials); kNotFound: nothing there; kInternal: objects of `folder` itself are damaged.
Result<Done> fetch(const std::string& folder, const RemoteAddress& remote);

/// Brings one ref with its objects from the repository `from` on this machine, under the same name.
/// How long, and until when, is that of `limits`.
Result<Done> take_ref(const std::string& folder, const std::string& from, const std::string& ref,
                      const RemoteAddress& limits);

/// The same into a mirror, in which nobody but Portico works: where a git that was killed left a
/// lock, that is removed and the fetch tried once more. Called in Store::exclusively or under the
/// lock of a write; fetch_alone() is for mirrors without a Store, and waits for the others.
Result<Done> fetch_into_mirror(const std::string& folder, const RemoteAddress& remote);
Result<Done> fetch_alone(const std::string& folder, const RemoteAddress& remote);

/// The branch that the remote's HEAD names ("main"). The same codes as fetch; kNotFound also where
/// HEAD names none.
Result<std::string> default_branch(const RemoteAddress& remote);

/// Whether the remote has the ref ("refs/heads/main"), without fetching it. Codes as of fetch.
Result<bool> has_ref(const RemoteAddress& remote, const std::string& ref);

/// Changes refs of the remote, all or none, each only if it holds `before` there. The objects are
/// in `folder`. kConflict: one does not; kUnavailable, refused() also where a ref stays locked.
Result<Done> push(const std::string& folder, const RemoteAddress& remote,
                  std::span<const RefChange> changes);

}  // namespace portico::git
