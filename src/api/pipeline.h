// kpt's Pipeline: the functions that a package runs, as in Kptfile and PackageVariant.
#pragma once

#include <string>
#include <vector>

#include "api/meta.h"

namespace portico::api {

/// Which resources a function sees; an empty field matches everything (kpt Selector).
struct Selector {
  std::string api_version, kind, name, ns;
  StringMap labels, annotations;
  bool operator==(const Selector&) const = default;
};

/// One entry of a pipeline (kpt Function): `image` or `exec`, and how it is configured.
struct Function {
  std::string image, exec, tag;
  std::string config_path;  // a file of the package
  StringMap config_map;     // or the data of a ConfigMap
  std::string name;
  std::vector<Selector> selectors, exclude;
  bool operator==(const Function&) const = default;
};

struct Pipeline {
  std::vector<Function> mutators, validators;
  bool operator==(const Pipeline&) const = default;

  bool empty() const { return mutators.empty() && validators.empty(); }
};

}  // namespace portico::api
