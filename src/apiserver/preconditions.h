// What has to hold between a request and the stored object that it is about. Pure.
#pragma once

#include <string>
#include <string_view>

#include "apiserver/call.h"
#include "json/value.h"
#include "krm/meta.h"
#include "kubeapi/options.h"
#include "kubeapi/refusal.h"

namespace portico::apiserver {

/// The namespace of the objects that the call is about: "" for what lies in none. A namespace
/// itself is asked for in its own name (kubeapi/request_info.h).
std::string ns_of(const Call& call);
/// Whether it is about events in the form of events.k8s.io, which are stored in that of the core.
bool is_new_event(const Call& call);
/// Of the stored objects that the resource is, or is made of.
krm::GroupKind stored_kind(const Call& call);
krm::ObjectKey key_of(const Call& call);

/// How often a write that names no version is tried while others write the same object. Each time
/// it loses another write has won; Kubernetes tries without end.
inline constexpr int kMostTries = 1000;

/// 409: somebody wrote since the caller read.
kubeapi::Refusal modified(const Call& call, std::string_view name);

/// Name, namespace, uid and resourceVersion of the object that a client sent to take the place of
/// `old`.
kubeapi::Reply<Done> check_identity(const Call& call, const json::Value& old,
                                    const json::Value& sent);

/// The options of a deletion, from its body or its query.
kubeapi::Reply<kubeapi::DeleteOptions> delete_options_of(const Call& call);
/// The uid and resourceVersion that a deletion asks for. 409.
kubeapi::Reply<Done> check_preconditions(const Call& call, const kubeapi::DeleteOptions& options,
                                         const json::Value& object);
/// What a deletion answers where the object is gone.
json::Value deleted_status(const Call& call, const json::Value& object);

}  // namespace portico::apiserver
