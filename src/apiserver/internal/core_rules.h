// Defaults and validation of kinds that are compiled into a Kubernetes server: ConfigMap, Secret,
// Namespace, ServiceAccount, CustomResourceDefinition. Pure.
#pragma once

#include <string>
#include <vector>

#include "apiserver/call.h"
#include "json/value.h"
#include "kubeapi/status_error.h"

namespace portico::apiserver {

/// The object as it is stored: with the defaults of its kind, and a Secret's stringData merged into
/// its data. 400 if a member has a type that cannot be decoded. Other kinds are returned unchanged.
kubeapi::StatusOr<json::Value> core_prepare(const Call& call, const json::Value& object);

/// `object`, which replaces `old` (null: it is new), with the fields that the server sets: a
/// namespace's finalizer and phase, which change only through subresources. The writer does not own
/// these fields.
json::Value filled_in(const Call& call, const json::Value& object, const json::Value& old);

/// While a namespace being deleted has a finalizer in its spec, the registry stores one in its
/// metadata as well. namespace_seen() returns the namespace as clients see it, without that one;
/// namespace_kept() returns it as stored. Both return other namespaces unchanged.
json::Value namespace_seen(const json::Value& ns);
json::Value namespace_kept(const json::Value& ns);

/// spec.finalizers; "kubernetes" if the field is missing, since a create adds it.
std::vector<std::string> namespace_finalizers(const json::Value& ns);

/// The fields that Kubernetes' type of the kind serializes when nothing is set; null if there are
/// none.
json::Value empty_object(const Call& call);

/// The fields that Kubernetes' type of the kind serializes even when they are empty.
json::Value always_said(const kubeapi::ResourceType& type);

/// Whether the call is for CustomResourceDefinitions or namespaces, respectively.
bool is_definition(const Call& call);
bool is_namespace(const Call& call);

/// Adds what is invalid, with Kubernetes' messages; `old` is null for a new object.
void core_causes(const Call& call, const json::Value& object, const json::Value& old,
                 std::vector<Cause>& causes);

}  // namespace portico::apiserver
