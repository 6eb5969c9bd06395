#include <algorithm>

#include "cli/commands.h"
#include "cli/install.h"
#include "engine/version.h"

namespace portico::cli {

namespace {

// The number of replicas in deploy/kubernetes/ha, spread over nodes with rolling updates.
constexpr int kMany = 3;

}  // namespace

Result<Exit> run_install(const InstallOptions& options, Context& context) {
  const bool printable = std::all_of(options.image.begin(), options.image.end(),
                                     [](char c) { return c > ' ' && c < '\x7f'; });
  if (!printable) return invalid("--image: invalid image name {:?}", options.image);
  const bool one = !options.with_porch && !options.without_porch;
  if (one && options.replicas > 1)
    return invalid(
        "--replicas: {} servers cannot share a volume; for several replicas use --without-porch, "
        "or --with-porch, where one leads and the others stand by",
        options.replicas);
  const std::string mode = one ? "aggregated" : options.with_porch ? "with-porch" : "without-porch";
  InstallPlace place{
      .mode = options.replicas >= kMany ? "ha/" + mode : mode,
      .image = options.image.empty() ? fmt::format("portico:{}", engine::version()) : options.image,
      .ns = context.globals.ns_said ? context.globals.ns : "portico-system",
      .replicas = one ? 0 : options.replicas};
  // The manifests include the namespace, with a pod security level; deleting the manifests deletes
  // it.
  if (place.ns == "default" || place.ns.starts_with("kube-"))
    return invalid("-n: namespace \"{}\" is a system namespace; use one that only Portico uses",
                   place.ns);
  PORTICO_TRY(const std::string text, install_text(place));
  context.terminal.write(text);
  return 0;
}

}  // namespace portico::cli
