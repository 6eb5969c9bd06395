// kubectl's last-applied annotation, for the migration from client-side to server-side apply.
#pragma once

#include <string_view>

#include "fieldset/set.h"
#include "fieldset/type.h"
#include "json/value.h"

namespace portico::fieldset::internal {

inline constexpr std::string_view kLastApplied = "kubectl.kubernetes.io/last-applied-configuration";
/// The manager that takes over what client-side apply recorded.
inline constexpr std::string_view kKubectl = "kubectl";

/// The fields recorded in the annotation of `live` that still have the recorded values; empty if
/// there is no annotation, or it cannot be read in this version.
Set recorded_fields(const json::Value& live, const Type& type, std::string_view api_version);

/// `object` with `applied` recorded in its annotation, if it has that annotation. The annotation is
/// removed if the annotations would exceed 256 KiB.
json::Value with_record(const json::Value& object, const json::Value& applied);

}  // namespace portico::fieldset::internal
