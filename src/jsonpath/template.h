// Templates of paths, as accepted by kubectl's -o jsonpath. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/value.h"
#include "jsonpath/path.h"

namespace portico::jsonpath {

/// "{.metadata.name}{"\t"}{range .spec.parts[*]}{.name}{"\n"}{end}": text, paths in braces, quoted
/// text in braces, ranges.
class Template {
 public:
  /// kInvalid with the column (from 1): an unclosed brace, a range without an end, an invalid path.
  static Result<Template> parse(std::string_view text);

  /// Several results of one path are separated by a blank. A missing field is kNotFound if
  /// `missing_is_error`, else empty.
  Result<std::string> render(const json::Value& root, bool missing_is_error = false) const;

 private:
  struct Part {
    enum class Kind { kText, kPath, kRange } kind = Kind::kText;
    std::string text;         // of kText; for a path, its source
    Path path;                // of kPath and kRange
    std::vector<Part> inner;  // of kRange
  };
  class Parser;
  static void render_parts(const std::vector<Part>& parts, const json::Value& root,
                           std::string& out, std::string& missing);

  std::vector<Part> parts_;
};

}  // namespace portico::jsonpath
