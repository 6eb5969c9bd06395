// Rules of the kinds that are compiled into a Kubernetes server: ConfigMap, Secret, Namespace,
// ServiceAccount, CustomResourceDefinition. Pure.
#pragma once

#include <string>
#include <vector>

#include "apiserver/call.h"
#include "json/value.h"
#include "kubeapi/refusal.h"

namespace portico::apiserver {

/// The object as it is stored: the defaults of its kind, a Secret's stringData in its data. 400
/// where a member has a type that cannot be decoded. Other kinds stay as they are.
kubeapi::Reply<json::Value> core_prepare(const Call& call, const json::Value& object);

/// What the server itself puts into an object that takes the place of `old` (null: it is new): a
/// namespace's finalizer and phase, which change through subresources alone. Who writes the object
/// does not own it.
json::Value filled_in(const Call& call, const json::Value& object, const json::Value& old);

/// In the registry a namespace that is being deleted has a finalizer in its metadata for as long as
/// it has one in its spec: namespace_seen() is the namespace as clients see it, without that;
/// namespace_kept() is it as it is stored. Other namespaces are the same in both.
json::Value namespace_seen(const json::Value& ns);
json::Value namespace_kept(const json::Value& ns);

/// spec.finalizers; of a namespace without a spec "kubernetes", which it gets when it is created.
std::vector<std::string> namespace_finalizers(const json::Value& ns);

/// What an object of the kind has that nobody has filled in, as Kubernetes' types have it; null
/// where that is nothing.
json::Value empty_object(const Call& call);

/// The members that Kubernetes' type of the kind says even where they are empty.
json::Value always_said(const kubeapi::ResourceType& type);

/// Whether the call is about CustomResourceDefinitions, about namespaces.
bool is_definition(const Call& call);
bool is_namespace(const Call& call);

/// Adds what is wrong with it, in Kubernetes' words; `old` is null for a new one.
void core_causes(const Call& call, const json::Value& object, const json::Value& old,
                 std::vector<Cause>& causes);

}  // namespace portico::apiserver
