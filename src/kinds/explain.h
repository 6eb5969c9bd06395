// What the fields of a kind are for, in words: `explain KIND.FIELD`. Pure.
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

/// The field at `path` of a kind with this `openAPIV3Schema`, as kubectl explain tells of it: its
/// type, what it is for, and the fields below with theirs; with `recursive` all fields at any depth
/// by name and type. Lists and maps are passed through: spec.targets.repositories. kInvalid names
/// the nearest field where there is none.
Result<std::string> explain(const Explained& what, const json::Value& schema,
                            const std::vector<std::string_view>& path, bool recursive);

/// The fields below the one at `path`, for completion; none where there is no such field.
std::vector<std::string> fields_below(const json::Value& schema,
                                      const std::vector<std::string_view>& path);

}  // namespace portico::kinds
