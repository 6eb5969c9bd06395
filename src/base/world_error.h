// Classifies errors from outside (git, HTTP, gRPC, ...) by who can fix them, in one table. Pure.
#pragma once

#include <optional>
#include <string_view>
#include <utility>

#include "base/result.h"

namespace portico {

/// Who can fix a failure, and so what to do next.
enum class Remedy {
  kRetry,     // nobody needs to: retry soon, with a back-off
  kOperator,  // a person, elsewhere, and no event follows: retry after minutes
  kRetryNow,  // another writer was faster: read again and retry at once
  kObject,    // the object, or what it names, is wrong: wait for the event that changes it
};

/// kUnavailable with a reason that says that the other side answered and refused:
/// Remedy::kOperator.
template <class... Args>
Error refused(fmt::format_string<Args...> text, Args&&... args) {
  return unavailable(text, std::forward<Args>(args)...).because(Reason::kRefused);
}
/// Decides by code and reason. kUnavailable with kRefused, kForbidden or kUnauthorized is for a
/// person.
Remedy remedy_of(const Error& error);
/// An Error for which remedy_of() returns `mend`; kInvalid for kObject.
Error error_for(Remedy remedy, std::string text);

/// Classifies the output of git, and of the servers behind it, after a failed transfer with `url`.
/// Ignores words of the URL, which git repeats, and quoted text.
Remedy remedy_of_git(std::string_view said, std::string_view url = {});
/// Classifies the line in which `git push --porcelain` reports a rejected ref, or the end of that
/// line. Ignores words of the ref names.
Remedy remedy_of_rejected_ref(std::string_view line);
/// Classifies the output of git after a server changed none of the refs of a push (`--atomic`).
/// nullopt unless the cause is one ref that the server could not lock. kOperator: the lock has been
/// held for longer than a change takes. kRetryNow: another writer changed the ref meanwhile, or
/// created one that conflicts with its name.
std::optional<Remedy> remedy_of_unlocked_ref(std::string_view said);
/// Whether git itself, not the server, reports damaged objects in the local repository.
bool blames_own_objects(std::string_view said);
/// Classifies a gRPC status other than OK from a function runner, and its message. (NOT_FOUND: a
/// function that may be added to the runner later.)
Remedy remedy_of_grpc(int status, std::string_view said = {});
/// Classifies the errno with which starting a program failed. For errno of files and disks see
/// fd.h: file_error() is always retried.
Remedy remedy_of_no_start(int number);
/// Classifies an HTTP status that is not a success.
Remedy remedy_of_http(int status);
/// Classifies libcurl's error number (CURLcode) for a request that got no response.
Remedy remedy_of_curl(int code);
/// Whether the exit code is the container runtime's own (docker, podman, nerdctl), not that of the
/// program in the container: Remedy::kOperator.
bool is_of_container_runtime(int exit_code);

}  // namespace portico
