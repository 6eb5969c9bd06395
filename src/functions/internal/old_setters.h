// Setters and substitutions as kpt had them before its version 1: definitions in a Kptfile's
// openAPI, and comments in JSON that name them.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/result.h"
#include "krm/object.h"

namespace portico::functions {

class OldSetters {
 public:
  OldSetters() = default;
  /// From `openAPI` of a Kptfile v1alpha1. kInvalid for a definition of a setter that has none.
  static Result<OldSetters> read(const json::Value& open_api);

  /// Names and values; a list is the text of a YAML list, one item a line.
  const std::map<std::string, std::string>& values() const { return values_; }

  /// Rewrites the comments on the lines of an object: `# {"$kpt-set":"image"}` as
  /// `# kpt-set: ${image}`, that of a substitution as its pattern, with substitutions in it put in.
  /// A scalar's comment that names nothing known stays; a list's is always rewritten. kInvalid for
  /// substitutions that name each other in a circle.
  Result<Done> rewrite_comments(krm::Object& object) const;

 private:
  Result<std::string> pattern(const std::string& substitution, int depth) const;
  Result<std::string> comment(std::string_view old, bool on_list) const;

  std::map<std::string, std::string> values_;
  std::map<std::string, json::Value> setters_, substitutions_;  // by name
};

}  // namespace portico::functions
