// Checks of a request against the stored object that it targets. Pure.
#pragma once

#include <string>
#include <string_view>

#include "apiserver/call.h"
#include "json/value.h"
#include "krm/meta.h"
#include "kubeapi/options.h"
#include "kubeapi/status_error.h"

namespace portico::apiserver {

/// The namespace of the target objects: "" for cluster-scoped ones. A Namespace object itself is
/// addressed as if it were in the namespace of its own name (kubeapi/request_info.h).
std::string ns_of(const Call& call);
/// Whether the call is for events in the events.k8s.io form, which are stored in the core form.
bool is_new_event(const Call& call);
/// The kind of the stored objects that the resource consists of, or is computed from.
krm::GroupKind stored_kind(const Call& call);
krm::ObjectKey key_of(const Call& call);

/// How often a write without a resourceVersion is retried on conflicts. Each failed attempt means
/// that another write succeeded; Kubernetes retries without limit.
inline constexpr int kMostTries = 1000;

/// 409: the object has changed since the caller read it.
kubeapi::StatusError modified(const Call& call, std::string_view name);

/// Checks name, namespace, uid and resourceVersion of the object that a client sent to replace
/// `old`.
kubeapi::StatusOr<Done> check_identity(const Call& call, const json::Value& old,
                                       const json::Value& sent);

/// The delete options, from the body or the query.
kubeapi::StatusOr<kubeapi::DeleteOptions> delete_options_of(const Call& call);
/// Checks the uid and resourceVersion preconditions of a deletion. 409.
kubeapi::StatusOr<Done> check_preconditions(const Call& call, const kubeapi::DeleteOptions& options,
                                            const json::Value& object);
/// The answer to a deletion when the object is gone.
json::Value deleted_status(const Call& call, const json::Value& object);

}  // namespace portico::apiserver
