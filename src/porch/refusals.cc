#include "porch/refusals.h"

#include <algorithm>
#include <string_view>

namespace portico::porch {

namespace {

constexpr std::string_view kPreamble = "Internal error occurred: ";

struct Meaning {
  std::string_view text;  // anywhere in the message
  Code code;
  Reason reason = Reason::kByCode;
};
// The first match counts: a failure to reach a repository may quote anything.
constexpr Meaning kMeanings[] = {
    {"error cloning git repository", Code::kUnavailable},
    {"fetch of remote repository failed", Code::kUnavailable},
    {"error rendering package in kpt function pipeline", Code::kInvalid},
    {"Error rendering package in kpt function pipeline", Code::kInvalid},
    {"fn.render: ", Code::kInvalid},
    {"workspaceNames must be unique", Code::kConflict, Reason::kAlreadyExists},
    {"already exists in repo", Code::kConflict, Reason::kAlreadyExists},
    {"Operation cannot be fulfilled on ", Code::kConflict},
    {"the object has been modified", Code::kConflict},
    {"another request is already in progress", Code::kConflict},
    {"non-fast-forward update", Code::kConflict},
    {"resourceVersion must be specified", Code::kConflict},
    {"cannot find package revision", Code::kNotFound},
    {"cannot find repository", Code::kNotFound},
    {"cannot find git reference", Code::kNotFound},
    {"cannot find package ", Code::kNotFound},
    {"package must be Draft", Code::kInvalid},
    {"packages cannot be nested", Code::kInvalid},
    {"must be published", Code::kInvalid},
    {"may not be the placeholder", Code::kInvalid},
    {"must be from same package", Code::kInvalid},
    {"must not contain more than one task", Code::kInvalid},
    {"package must contain Kptfile", Code::kInvalid},
    {"failed to parse Kptfile", Code::kInvalid},
    {"failed to heal resources", Code::kInvalid},
    {"is not implemented", Code::kInvalid},
    {"is required", Code::kInvalid},
    {"not set for task of type", Code::kInvalid},
    {"invalid clone source", Code::kInvalid},
    {"error updating the package", Code::kInvalid},
};

}  // namespace

Error sorted(Error error) {
  if (error.code != Code::kUnavailable || error.reason != Reason::kByCode ||
      !error.what.starts_with(kPreamble))
    return error;
  error.what.erase(0, kPreamble.size());
  error.causes.clear();  // they repeat the text
  for (const Meaning& each : kMeanings) {
    if (error.what.find(each.text) == std::string::npos) continue;
    error.code = each.code;
    error.reason = each.reason;
    break;
  }
  return error;
}

bool failed_to_render(const Error& error) {
  return error.code == Code::kInvalid &&
         (error.what.find("fn.render: ") != std::string::npos ||
          error.what.find("rendering package in kpt function pipeline") != std::string::npos ||
          std::find(error.where.begin(), error.where.end(), "render") != error.where.end());
}

}  // namespace portico::porch
