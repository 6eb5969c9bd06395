// What an answer of the world means for whoever asked: the one table of who can mend what. Pure.
#pragma once

#include <optional>
#include <string_view>
#include <utility>

#include "base/result.h"

namespace portico {

/// Who can mend what went wrong, and so what helps.
enum class Mend {
  kRetry,   // it passes by itself: try again soon, with a back-off
  kPerson,  // somebody mends it elsewhere and nothing tells us: try again after minutes
  kAgain,   // somebody else was quicker: read again and try at once
  kObject,  // the object, or what it names, is wrong: wait for the event that changes it
};

/// kUnavailable with a reason that says that the world answered, and said no: Mend::kPerson.
template <class... Args>
Error refused(fmt::format_string<Args...> text, Args&&... args) {
  return unavailable(text, std::forward<Args>(args)...).because(Reason::kForbidden);
}
/// By code and reason. kForbidden and kUnauthorized of kUnavailable are for a person.
Mend mend_of(const Error& error);
/// An Error of which that is the Mend; kInvalid for kObject.
Error error_for(Mend mend, std::string text);

/// Of what git and the servers behind it said when a transfer with `url` failed. Words of the
/// address, which git repeats, do not count, nor does what is quoted.
Mend mend_of_git(std::string_view said, std::string_view url = {});
/// Of the line in which `git push --porcelain` says that a ref was rejected, or the end of it.
/// Words of the refs do not count.
Mend mend_of_rejected_ref(std::string_view line);
/// Of what git said when a server changed none of the refs of a push (`--atomic`): nothing where
/// that is not for one ref that it could not lock. kPerson: a lock of it is held for longer than a
/// change takes. kAgain: somebody else changed it meanwhile, or made one that it cannot stand
/// beside.
std::optional<Mend> mend_of_unlocked_ref(std::string_view said);
/// Whether git says, not the server, that objects of the repository it works in are damaged.
bool blames_own_objects(std::string_view said);
/// Of a status of gRPC that is not OK, as a function runner gives it, and its message. (NOT_FOUND
/// is a function that the runner may learn.)
Mend mend_of_grpc(int status, std::string_view said = {});
/// Of the number (errno) for which a program could not be started. Those of files and disks are in
/// fd.h: file_error() is to be tried again whatever it is.
Mend mend_of_no_start(int number);
/// Of a status of HTTP that is no success.
Mend mend_of_http(int status);
/// Of libcurl's number (CURLcode) for a request that got no answer.
Mend mend_of_curl(int code);
/// Whether a container runtime (docker, podman, nerdctl) ended with a status of its own, and not
/// with that of the program in the container: Mend::kPerson.
bool is_of_container_runtime(int exit_code);

}  // namespace portico
