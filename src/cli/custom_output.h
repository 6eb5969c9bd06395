// Output that the user lays out: kubectl's -o jsonpath, go-template and custom-columns, and
// --sort-by.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/value.h"

namespace portico::cli {

/// Whether the word of -o is one of those below, "jsonpath-file=FILE" and the like included.
bool is_custom_output(std::string_view output);

/// With the text of the file in place of its name: "jsonpath=TEXT", "go-template=TEXT" or
/// "custom-columns=TEXT".
Result<std::string> read_custom_output(std::string output);

/// `output` is "jsonpath=TEMPLATE" or "go-template=TEMPLATE", printed of `whole` (one object, or
/// the List), or "custom-columns=HEAD:PATH,HEAD:PATH", of each of `objects`. kInvalid with the
/// column where a template or path is wrong. A field that is not there is nothing, in a column
/// "<none>".
Result<std::string> print_custom(std::string_view output, const json::Value& whole,
                                 const std::vector<json::Value>& objects, bool no_headers);

/// By what a path ("{.metadata.name}", ".metadata.name" or "metadata.name") leads to: numbers by
/// their size before texts; what is not there comes first. Objects of equal values stay in order.
Result<Done> sort_objects(std::vector<json::Value>& objects, std::string_view path);

}  // namespace portico::cli
