// JSON paths in the syntax of kubectl and CustomResourceDefinitions: the language of
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
/// "[0:3:2]", "[-1]". A value type; evaluation is thread-safe.
class Path {
 public:
  /// Parses a path without the braces of a template. kInvalid with the column (from 1).
  static Result<Path> parse(std::string_view text);

  /// All values that the path selects, in order, at most `most`. Missing ones are skipped.
  std::vector<json::Value> evaluate(const json::Value& root, std::size_t most = 100'000) const;

 private:
  friend class PathParser;
  std::vector<std::shared_ptr<const Step>> steps_;
};

/// The printed form of a value: a string as it is, anything else as JSON.
std::string text_of(const json::Value& value);

}  // namespace portico::jsonpath
