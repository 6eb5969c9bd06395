// Field paths of replacements: reading one value, replacing all that match.
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

/// Splits at '.', where "\." is a plain dot and "[...]" holds together; brackets without '=' are
/// only quotes ("metadata.annotations.[a.b/c]").
std::vector<std::string> split_field_path(std::string_view text);

/// The one path that `steps` mean in `root`: names, indexes, "-" for the last item and
/// "[name=value]" for the item with that value. kNotFound where there is nothing.
Result<krm::Path> locate(const json::Value& root, std::span<const std::string> steps);
const json::Value& value_at(const json::Value& root, const krm::Path& path);

/// What to make where a target path ends in nothing.
enum class CreateAs { kNothing, kScalar, kMap, kList };

/// Gets the place, the value there (null where it was just made) and whether it was just made.
using ReplaceAt =
    std::function<Result<json::Value>(const krm::Path& at, const json::Value& have, bool made)>;

/// `root` with every match of `steps` replaced; "*" is every item and "[name=x]" every item whose
/// field matches the regular expression x. `matches` counts. kInvalid where a step cannot be taken
/// or `replace` fails.
Result<json::Value> replace_matches(const json::Value& root, std::span<const std::string> steps,
                                    CreateAs create, const ReplaceAt& replace,
                                    std::size_t& matches);

}  // namespace portico::functions
