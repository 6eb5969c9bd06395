// Field paths of replacements: read one value, replace all matches.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/value.h"
#include "krm/object.h"

namespace portico::functions {

/// Splits at '.'; "\." is a literal dot, and "[...]" is kept together. Brackets without '=' only
/// quote ("metadata.annotations.[a.b/c]").
std::vector<std::string> split_field_path(std::string_view text);

/// The single path that `steps` denote in `root`: names, indexes, "-" for the last item and
/// "[name=value]" for the item with that value. kNotFound if there is no such place.
Result<krm::Path> locate(const json::Value& root, std::span<const std::string> steps);
const json::Value& value_at(const json::Value& root, const krm::Path& path);

/// What to create where a target path ends in nothing.
enum class CreateAs { kNothing, kScalar, kMap, kList };

/// Takes the place, its value (null if it was just created) and whether it was just created.
using ReplaceAt =
    std::function<Result<json::Value>(const krm::Path& at, const json::Value& have, bool made)>;

/// Replaces every match of `steps` in `root`; "*" is every item, and "[name=x]" every item whose
/// field matches the regular expression x. `matches` counts them. kInvalid if a step is not
/// possible or `replace` fails.
Result<json::Value> replace_matches(const json::Value& root, std::span<const std::string> steps,
                                    CreateAs create, const ReplaceAt& replace,
                                    std::size_t& matches);

}  // namespace portico::functions
