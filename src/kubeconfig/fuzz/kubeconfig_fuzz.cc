// Any bytes as a kubeconfig and as the output of an exec plug-in: a parsed config must survive
// printing and parsing again.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "kubeconfig/config.h"
#include "kubeconfig/exec_plugin.h"

namespace portico::kubeconfig {

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto config = parse_config(text, "/folder")) {
    const auto again = parse_config(print_config(*config), "");
    if (!again || !(*again == *config)) std::abort();
    for (const auto& [name, context] : config->contexts) (void)choose(*config, name);
    if (!(merged(*config, *config) == *config)) std::abort();
  }
  if (const auto found = parse_exec_credential(text, "client.authentication.k8s.io/v1");
      found && found->token.empty() && found->certificate.empty())
    std::abort();
  return 0;
}

}  // namespace portico::kubeconfig
