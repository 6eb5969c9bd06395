// Go templates over JSON values, as accepted by kubectl's -o go-template. Pure.
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
/// continue, define, template, block, comments, trimmed white space, and the functions and, or,
/// not, len, index, slice, print, printf, println, html, js, urlquery, eq, ne, lt, le, gt, ge;
/// kubectl's exists and base64decode. Missing values and null print as "<no value>". Whole numbers
/// and floats compare with each other. A value type; rendering is thread-safe.
class Template {
 public:
  /// kInvalid with line and column (from 1).
  static Result<Template> parse(std::string_view text);

  /// kInvalid with line and column if a step fails, such as a field of a string or an index out of
  /// range. Limits: `kMostBytes` bytes of output, `kMostSteps` steps, and templates nested
  /// `kMostDepth` deep.
  Result<std::string> render(const json::Value& root) const;

  static constexpr std::size_t kMostBytes = 64u << 20;
  static constexpr std::size_t kMostSteps = 3'000'000;
  static constexpr int kMostDepth = 100;

 private:
  std::shared_ptr<const internal::Parsed> parsed_;
};

}  // namespace portico::gotemplate
