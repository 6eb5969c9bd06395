// `portico install`: prints the manifests of deploy/kubernetes that install Portico on a cluster.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/result.h"

namespace portico::cli {

/// The files below deploy/kubernetes, by path relative to deploy; embedded at build time.
std::map<std::string, std::string_view> manifest_files();

struct InstallPlace {
  std::string
      mode;  // a folder below deploy/kubernetes: "aggregated", "with-porch", "ha/with-porch" ...
  std::string image;  // of every container
  std::string ns;     // replaces the namespace portico-system
  int replicas = 0;   // of the Deployment; all but one stay up in a drain; 0: as in the mode
};

/// The output of `kubectl kustomize` for the mode, in the order of its file lists, with image and
/// namespace replaced: YAML documents with their comments. Of kustomizations it supports
/// `resources` and `patches` by path, and "crds" for the definitions of Portico's kinds; anything
/// else is kInternal.
Result<std::string> install_text(const InstallPlace& place);

}  // namespace portico::cli
