// Which server the options of a command, or the place where it runs, name.
#pragma once

#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "engine/context.h"
#include "kubeconfig/connect.h"

namespace portico::engine {

/// Whether the options name a server.
bool names_server(const Globals& globals);
/// What -n says, else the namespace of the context of the server that is named, else "default".
/// What is wrong with the context is told when it is connected to.
std::string namespace_of(const Globals& globals);

/// The server that the options name: --server, else the context of --kubeconfig, else of
/// $KUBECONFIG or ~/.kube/config; as whom --as says. `clock` outlives what is made of it.
Result<kubeconfig::Target> target_of(const Globals& globals, const Clock& clock);
/// The same; in a pod, where the options name none and there is no kubeconfig, that of its cluster,
/// as the pod's service account.
Result<kubeconfig::Target> target_of_pod(const Globals& globals, const Clock& clock);

}  // namespace portico::engine
