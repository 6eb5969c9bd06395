// What a commit of ours says beside its content: Porch's "kpt:" line and our trailers. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"
#include "repo/repository.h"

namespace portico::repo {

/// The JSON of one "kpt:" line, as Porch writes and reads it.
struct Annotation {
  std::string package;    // full path, with the repository's directory
  std::string workspace;  // "workspaceName"
  std::string revision;   // "0" for drafts; older commits have "v1"
  json::Value task;       // null where there is none
  bool operator==(const Annotation&) const = default;
};

/// Subject, body, the kpt line and, as the last paragraph, the trailers. Line ends inside the parts
/// that must be one line become blanks. A task that is no JSON is kInvalid.
Result<std::string> commit_text(const Message& message, std::string_view package_path,
                                std::string_view workspace, int revision);

/// The text of a commit that `user` ("name <mail>") made and somebody else is the author of: with
/// that as a trailer more.
std::string with_user(std::string text, std::string_view user);

/// All lines of that form that can be read, in order; others are passed over.
std::vector<Annotation> annotations_of(std::string_view text);
/// The first of them about the package.
std::optional<Annotation> annotation_of(std::string_view text, std::string_view package_path);

struct Trailers {
  std::string variant;                            // Portico-Variant
  std::string variant_set;                        // Portico-Set
  std::string pristine_package, pristine_inputs;  // Portico-Pristine: path and digest
  std::string pin_package, pin;                   // Portico-Pin: path and what follows it
  std::vector<std::string> decisions;             // Portico-Decision, all of them
  std::string user;                               // Portico-User: "name <mail>"
};
/// From the last paragraph of the message, where git looks for trailers; of several the last
/// counts.
Trailers trailers_of(std::string_view text);

}  // namespace portico::repo
