// Paths into JSON values as kubectl and CustomResourceDefinitions write them: the language of
// k8s.io/client-go/util/jsonpath. Pure.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/value.h"

namespace portico::jsonpath {

struct Step;

/// ".spec.parts[*].name", "$.status.conditions[?(@.type=="Ready")].status", "..name", "['a','b']",
/// "[0:3:2]", "[-1]". A value; any thread may evaluate one.
class Path {
 public:
  /// Without the braces of a template. kInvalid with the column (from 1).
  static Result<Path> parse(std::string_view text);

  /// Everything the path leads to, in order; what is not there is passed over. At most `most`.
  std::vector<json::Value> evaluate(const json::Value& root, std::size_t most = 100'000) const;

 private:
  friend class PathParser;
  std::vector<std::shared_ptr<const Step>> steps_;
};

/// How a value is printed: a string as it is, anything else as JSON.
std::string text_of(const json::Value& value);

}  // namespace portico::jsonpath
