// Rules of the kinds that are compiled into a Kubernetes server: ConfigMap, Secret, Namespace,
// ServiceAccount. Pure.
#pragma once

#include <vector>

#include "apiserver/call.h"
#include "json/value.h"
#include "kubeapi/refusal.h"

namespace portico::apiserver {

/// The object as it is stored: the defaults of its kind, a Secret's stringData in its data. 400
/// where a member has a type that cannot be decoded. Other kinds stay as they are.
kubeapi::Reply<json::Value> core_prepare(const Call& call, const json::Value& object);

/// Adds what is wrong with it, in Kubernetes' words; `old` is null for a new one.
void core_causes(const Call& call, const json::Value& object, const json::Value& old,
                 std::vector<Cause>& causes);

}  // namespace portico::apiserver
