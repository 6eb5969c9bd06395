// User-defined output: kubectl's -o jsonpath, go-template and custom-columns, and --sort-by.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/value.h"

namespace portico::cli {

/// Whether the value of -o is one of the formats below, including "jsonpath-file=FILE" and the
/// like.
bool is_custom_output(std::string_view output);

/// Replaces a file name by the file's text: "jsonpath=TEXT", "go-template=TEXT" or
/// "custom-columns=TEXT".
Result<std::string> read_custom_output(std::string output);

/// Prints with `output`: "jsonpath=TEMPLATE" or "go-template=TEMPLATE" for `whole` (one object, or
/// the List), or "custom-columns=HEAD:PATH,HEAD:PATH" for each of `objects`. Returns kInvalid with
/// the column of a syntax error in the template or path. A missing field prints nothing, in a
/// column "<none>".
Result<std::string> print_custom(std::string_view output, const json::Value& whole,
                                 const std::vector<json::Value>& objects, bool no_headers);

/// Sorts by the value at a path ("{.metadata.name}", ".metadata.name" or "metadata.name"): missing
/// values first, then numbers by size, then texts. The sort is stable.
Result<Done> sort_objects(std::vector<json::Value>& objects, std::string_view path);

}  // namespace portico::cli
