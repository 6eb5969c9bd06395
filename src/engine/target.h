// Which server a command addresses, from its options or its environment.
#pragma once

#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "engine/context.h"
#include "kubeconfig/connect.h"

namespace portico::engine {

/// Whether the options name a server.
bool names_server(const Globals& globals);
/// -n, else the namespace in the context of the named server, else "default". Errors in the context
/// are reported when connecting.
std::string namespace_of(const Globals& globals);

/// The server that the options name: --server, else the context of --kubeconfig, else of
/// $KUBECONFIG or ~/.kube/config; impersonates --as. `clock` must outlive what is made from it.
Result<kubeconfig::Target> target_of(const Globals& globals, const Clock& clock);
/// The same; in a pod, if the options name none and there is no kubeconfig, the pod's cluster with
/// the pod's service account.
Result<kubeconfig::Target> target_of_pod(const Globals& globals, const Clock& clock);

}  // namespace portico::engine
