// kubectl's client-side apply: a three-way merge of the last applied, the newly applied and the
// stored object. Pure.
#pragma once

#include "json/value.h"

namespace portico::apply {

/// kubectl's annotation for the last applied object, so that both tools can be used on one object.
inline constexpr std::string_view kLastApplied = "kubectl.kubernetes.io/last-applied-configuration";

/// `stored` with the members of `wanted` set, and without those that the annotation records as
/// applied before but `wanted` no longer has. Maps are merged, lists replaced, and the status is
/// not changed. Sets the annotation. If `stored` is null: `wanted` with the annotation.
json::Value merge_applied(const json::Value& stored, const json::Value& wanted);

}  // namespace portico::apply
