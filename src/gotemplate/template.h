// Go templates over JSON values, as kubectl's -o go-template takes them. Pure.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "json/value.h"

namespace portico::gotemplate {

namespace internal {
struct Parsed;
}

/// The language of Go's text/template: fields, variables, pipelines, if, with, range, break,
/// continue, define, template, block, comments, trimmed blanks, and the functions and, or, not,
/// len, index, slice, print, printf, println, html, js, urlquery, eq, ne, lt, le, gt, ge; kubectl's
/// exists and base64decode. What is not there, and null, print as "<no value>". Whole numbers and
/// others compare with each other. A value; any thread may render one.
class Template {
 public:
  /// kInvalid with line and column (from 1).
  static Result<Template> parse(std::string_view text);

  /// kInvalid with line and column where a step cannot be carried out: a field of a text, an index
  /// beyond the end. At most `kMostBytes` of output and `kMostSteps` steps; templates in templates
  /// no deeper than `kMostDepth`.
  Result<std::string> render(const json::Value& root) const;

  static constexpr std::size_t kMostBytes = 64u << 20;
  static constexpr std::size_t kMostSteps = 3'000'000;
  static constexpr int kMostDepth = 100;

 private:
  std::shared_ptr<const internal::Parsed> parsed_;
};

}  // namespace portico::gotemplate
