// `portico migrate`, and what it carries from one place to another.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "cli/context.h"
#include "json/value.h"
#include "krm/meta.h"

namespace portico::cli {

struct MigrateOptions {
  bool to_folder = false, to_kubernetes = false, from_porch = false;  // one of them
  bool dry_run = false;                                               // of from_porch
};
/// Between the state folder and the cluster that the options name. Run again after it was cut off,
/// it goes on.
Result<Exit> run_migrate(const MigrateOptions& options, Context& context);
/// Within the cluster: a fleet that Porch kept. Run once before Porch's API is ours, and once
/// after; again wherever it was cut off.
Result<Exit> run_from_porch(const MigrateOptions& options, Context& context);

/// An object as somebody would apply it: without status, and of its metadata without what a server
/// gives it (uid, versions, times, owners, finalizers).
json::Value carried(const json::Value& object);

/// With the annotation by which controllers leave it alone, and without it.
json::Value at_rest(const json::Value& object);
json::Value awake(const json::Value& object);

/// (namespace, name) -> uid, of sets.
using SetUids = std::map<std::pair<std::string, std::string>, std::string>;

/// A variant as it was carried, with the sets that own it by the uids that they have now. An owner
/// that is no set, or a set that is not there, is left out.
json::Value owned_again(const json::Value& variant, const json::Value& carried,
                        const SetUids& sets);

/// Namespace, repository, package, workspace: what a package revision is called everywhere.
using RevisionPlace = std::tuple<std::string, std::string, std::string, std::string>;
RevisionPlace place_of(const json::Value& revision);

/// Whose each package revision is: "namespace/name" of the variant that owns it among `variants`,
/// else the one that its annotation names. Revisions of nobody are not there.
std::map<RevisionPlace, std::string> makers(const std::vector<json::Value>& revisions,
                                            const std::vector<json::Value>& variants);

/// The Secrets that repositories send to git servers, sorted.
std::vector<krm::ObjectKey> logins(const std::vector<json::Value>& repositories);

}  // namespace portico::cli
