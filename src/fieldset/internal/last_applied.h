// kubectl's record of what was applied last, for those who go from client-side to server-side
// apply.
#pragma once

#include <string_view>

#include "fieldset/set.h"
#include "fieldset/type.h"
#include "json/value.h"

namespace portico::fieldset::internal {

inline constexpr std::string_view kLastApplied = "kubectl.kubernetes.io/last-applied-configuration";
/// The manager whose applies take over what client-side apply recorded.
inline constexpr std::string_view kKubectl = "kubectl";

/// The fields that the annotation of `live` records with the values that they still have; empty
/// where there is no annotation, or none that can be read in this version.
Set recorded_fields(const json::Value& live, const Type& type, std::string_view api_version);

/// `object` with `applied` in its annotation, where it has one. With more than 256 KiB of
/// annotations it goes.
json::Value with_record(const json::Value& object, const json::Value& applied);

}  // namespace portico::fieldset::internal
