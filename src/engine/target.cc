#include "engine/target.h"

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "kubeconfig/config.h"

namespace portico::engine {

namespace {

constexpr const char* kServiceAccount = "/var/run/secrets/kubernetes.io/serviceaccount";

std::string from_environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

std::vector<std::string> kubeconfig_files(const Globals& globals) {
  if (!globals.kubeconfig.empty()) return {globals.kubeconfig};
  std::vector<std::string> out;
  const std::string listed = from_environment("KUBECONFIG");
  for (std::size_t at = 0; at < listed.size();) {
    const std::size_t end = std::min(listed.find(':', at), listed.size());
    if (end > at) out.push_back(listed.substr(at, end - at));
    at = end + 1;
  }
  if (out.empty())
    if (const std::string home = from_environment("HOME"); !home.empty())
      out.push_back(home + "/.kube/config");
  return out;
}

std::string server_of(const Globals& globals) {
  return globals.server.empty() ? from_environment("PORTICO_SERVER") : globals.server;
}

kubeconfig::Target acting(kubeconfig::Target target, const Globals& globals) {
  if (!globals.as.empty()) target.client.headers.set("Impersonate-User", globals.as);
  for (const std::string& group : globals.as_groups)
    target.client.headers.add("Impersonate-Group", group);
  return target;
}

}  // namespace

bool names_server(const Globals& globals) {
  return !server_of(globals).empty() || !globals.kubeconfig.empty() || !globals.context.empty();
}

std::string namespace_of(const Globals& globals) {
  if (globals.ns_said || !names_server(globals)) return globals.ns;
  const auto config = kubeconfig::load(kubeconfig_files(globals));
  if (!config) return globals.ns;
  const auto chosen = kubeconfig::choose(*config, globals.context);
  return chosen && !chosen->context.ns.empty() ? chosen->context.ns : globals.ns;
}

Result<kubeconfig::Target> target_of(const Globals& globals, const Clock& clock) {
  const std::string server = server_of(globals);
  PORTICO_TRY(const kubeconfig::Config config, kubeconfig::load(kubeconfig_files(globals)));
  kubeconfig::Target target;
  // A server without a kubeconfig: the system must trust its certificate.
  if (!server.empty() && config.contexts.empty() && globals.context.empty()) {
    target.client.server = server;
  } else {
    PORTICO_TRY(const kubeconfig::Chosen chosen, kubeconfig::choose(config, globals.context));
    PORTICO_TRY(target, kubeconfig::connect(chosen, clock));
    if (!server.empty()) target.client.server = server;
  }
  return acting(std::move(target), globals);
}

Result<kubeconfig::Target> target_of_pod(const Globals& globals, const Clock& clock) {
  const std::string host = from_environment("KUBERNETES_SERVICE_HOST");
  if (names_server(globals) || host.empty()) return target_of(globals, clock);
  PORTICO_TRY(const kubeconfig::Config config, kubeconfig::load(kubeconfig_files(globals)));
  if (!config.contexts.empty()) return target_of(globals, clock);
  PORTICO_TRY(kubeconfig::Target target,
              kubeconfig::connect_in_cluster(host, from_environment("KUBERNETES_SERVICE_PORT"),
                                             kServiceAccount));
  return acting(std::move(target), globals);
}

}  // namespace portico::engine
