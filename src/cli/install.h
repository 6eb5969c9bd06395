// What puts Portico on a cluster: the manifests of deploy/kubernetes, as `portico install` prints
// them.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/result.h"

namespace portico::cli {

/// The files below deploy/kubernetes, by their path below deploy; made at build time.
std::map<std::string, std::string_view> manifest_files();

struct InstallPlace {
  std::string
      mode;  // a folder below deploy/kubernetes: "aggregated", "with-porch", "ha/with-porch" ...
  std::string image;  // of every container
  std::string ns;     // of everything that the manifests put into portico-system
  int replicas = 0;  // of the Deployment, of which all but one stay in a drain; 0: as the mode says
};

/// What `kubectl kustomize` makes of the mode, in the order of the lists of files, with image and
/// namespace put in: YAML documents with their comments. Of kustomizations it knows `resources` and
/// `patches` by path, and takes "crds" for the definitions of our kinds; anything else in one is
/// kInternal.
Result<std::string> install_text(const InstallPlace& place);

}  // namespace portico::cli
