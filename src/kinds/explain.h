// Describes the fields of a kind: `explain KIND.FIELD`. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/value.h"

namespace portico::kinds {

struct Explained {
  std::string group, kind, version;
};

/// Describes the field at `path` of a kind with this `openAPIV3Schema`, like kubectl explain: its
/// type, its description, and the fields below it with theirs; with `recursive`, all fields at any
/// depth by name and type. The path skips lists and maps: spec.targets.repositories. If there is no
/// such field, kInvalid names the nearest one.
Result<std::string> explain(const Explained& what, const json::Value& schema,
                            const std::vector<std::string_view>& path, bool recursive);

/// The fields directly below `path`, for completion; empty if there is no such field.
std::vector<std::string> fields_below(const json::Value& schema,
                                      const std::vector<std::string_view>& path);

}  // namespace portico::kinds
