// The Kptfile: a package's name, origin and pipeline (kpt.dev/v1).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "krm/object.h"

namespace portico::krm {

inline constexpr std::string_view kKptfileName = "Kptfile";

/// A folder of a git repository at a ref; `commit` is used only in an upstreamLock.
struct GitLocation {
  std::string repo, directory, ref, commit;
  bool operator==(const GitLocation&) const = default;
};

/// `upstream` and `upstreamLock`; `update_strategy` is used only in the former.
struct Upstream {
  std::string type = "git";
  GitLocation git;
  std::string update_strategy;
  bool operator==(const Upstream&) const = default;
};

/// The resources that a function sees; an empty field matches everything.
struct FunctionSelector {
  std::string api_version, kind, name, ns;
  std::map<std::string, std::string> labels, annotations;
  bool operator==(const FunctionSelector&) const = default;
};

/// One entry of the pipeline.
struct PipelineFunction {
  std::string image, exec, tag, name;
  std::string config_path;
  std::optional<std::map<std::string, std::string>> config_map;
  std::vector<FunctionSelector> selectors, exclude;
  bool operator==(const PipelineFunction&) const = default;
};

struct PackageInfo {
  std::string site, license_file, description, man;
  std::vector<std::string> emails, keywords;
  std::vector<std::string> readiness_gates;  // only the conditionType of each
  bool operator==(const PackageInfo&) const = default;
};

struct Inventory {
  std::string ns, name, id;
  std::map<std::string, std::string> labels, annotations;
  bool operator==(const Inventory&) const = default;
};

struct PackageCondition {
  std::string type, status, reason, message;
  bool operator==(const PackageCondition&) const = default;
};

/// A read-only view. To write, edit the Object with the functions below, which keep comments, order
/// and unknown fields.
struct Kptfile {
  std::string name, ns;
  std::map<std::string, std::string> labels, annotations;
  std::optional<Upstream> upstream, upstream_lock;
  PackageInfo info;
  std::vector<PipelineFunction> mutators, validators;
  std::optional<Inventory> inventory;
  std::vector<PackageCondition> conditions;
  /// Paths of fields that kpt does not know (kpt itself rejects a Kptfile that has any).
  std::vector<std::string> unknown_fields;

  /// kInvalid with the field path for an object that is not a kpt.dev/v1 Kptfile, and for a field
  /// of the wrong type. Where a string is expected, other scalars are read as their source text (a
  /// ref of 1.10 is "1.10"). null is treated as absent.
  static Result<Kptfile> decode(const Object& object);
};

/// A new Kptfile as created by `kpt pkg init`: apiVersion, kind and name.
Object new_kptfile(std::string_view name);

Result<Done> set_package_name(Object& kptfile, std::string_view name);
/// Empty fields are left out; nullopt removes the section. Its fields that kpt does not know are
/// kept.
Result<Done> set_upstream(Object& kptfile, const std::optional<Upstream>& upstream);
Result<Done> set_upstream_lock(Object& kptfile, const std::optional<Upstream>& lock);
/// Sets the whole list; unchanged entries are not touched. An empty list removes
/// info.readinessGates, and info if that leaves it empty.
Result<Done> set_readiness_gates(Object& kptfile, const std::vector<std::string>& types);
/// The same for status.conditions.
Result<Done> set_conditions(Object& kptfile, const std::vector<PackageCondition>& conditions);

}  // namespace portico::krm
