// Setters and substitutions of kpt versions before 1: definitions in a Kptfile's openAPI, and JSON
// comments that refer to them.
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
  /// Reads `openAPI` of a Kptfile v1alpha1. kInvalid for a setter definition without a setter.
  static Result<OldSetters> read(const json::Value& open_api);

  /// Names and values; a list is the text of a YAML list, one item per line.
  const std::map<std::string, std::string>& values() const { return values_; }

  /// Rewrites the comments on the lines of an object: `# {"$kpt-set":"image"}` becomes `# kpt-set:
  /// ${image}`, and a substitution becomes its pattern, with nested substitutions expanded. A
  /// scalar's comment that names nothing known stays; a list's comment is always rewritten.
  /// kInvalid for substitutions that refer to each other in a cycle.
  Result<Done> rewrite_comments(krm::Object& object) const;

 private:
  Result<std::string> pattern(const std::string& substitution, int depth) const;
  Result<std::string> comment(std::string_view old, bool on_list) const;

  std::map<std::string, std::string> values_;
  std::map<std::string, json::Value> setters_, substitutions_;  // by name
};

}  // namespace portico::functions
