// kubectl's apply: a three-way merge of what was applied last, what is applied now, and what is
// stored. Pure.
#pragma once

#include "json/value.h"

namespace portico::apply {

/// Where kubectl keeps what was applied last, so that both can be used on one object.
inline constexpr std::string_view kLastApplied = "kubectl.kubernetes.io/last-applied-configuration";

/// `stored` with the members of `wanted` set and those that the annotation says were applied before
/// but `wanted` no longer has removed. Maps are merged, lists replaced. Status is left alone. Sets
/// the annotation. With a null `stored`: `wanted` with the annotation.
json::Value merge_applied(const json::Value& stored, const json::Value& wanted);

}  // namespace portico::apply
