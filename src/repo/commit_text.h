// Portico's commit messages: text, Porch's "kpt:" line and Portico's trailers. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"
#include "repo/repository.h"

namespace portico::repo {

/// The JSON of one "kpt:" line, in Porch's format.
struct Annotation {
  std::string package;    // full path, with the repository's directory
  std::string workspace;  // "workspaceName"
  std::string revision;   // "0" for drafts; older commits have "v1"
  json::Value task;       // null if there is none
  bool operator==(const Annotation&) const = default;
};

/// Builds subject, body, the kpt line and, as the last paragraph, the trailers. Line ends become
/// blanks in parts that must fit on one line. kInvalid if the task is not JSON.
Result<std::string> commit_text(const Message& message, std::string_view package_path,
                                std::string_view workspace, int revision);

/// Adds a trailer for `user` ("name <mail>") to the text of a commit that has a different author.
std::string with_user(std::string text, std::string_view user);

/// All readable "kpt:" lines, in order; unreadable ones are skipped.
std::vector<Annotation> annotations_of(std::string_view text);
/// The first annotation about the package.
std::optional<Annotation> annotation_of(std::string_view text, std::string_view package_path);

struct Trailers {
  std::string variant;                            // Portico-Variant
  std::string variant_set;                        // Portico-Set
  std::string pristine_package, pristine_inputs;  // Portico-Pristine: path and digest
  std::string pin_package, pin;                   // Portico-Pin: path and what follows it
  std::vector<std::string> decisions;             // Portico-Decision, all values
  std::string user;                               // Portico-User: "name <mail>"
};
/// Reads the last paragraph of the message, where git looks for trailers. If a trailer repeats, the
/// last one counts.
Trailers trailers_of(std::string_view text);

}  // namespace portico::repo
