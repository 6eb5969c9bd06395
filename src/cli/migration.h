// `portico migrate`, and the objects that it carries from one place to another.
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
  bool to_folder = false, to_kubernetes = false, from_porch = false;  // exactly one of them
  bool dry_run = false;                                               // for from_porch
};
/// Migrates between the state folder and the cluster that the options name. Running it again after
/// an interruption continues.
Result<Exit> run_migrate(const MigrateOptions& options, Context& context);
/// Takes over a fleet of Porch within its cluster. Run it once before Portico serves Porch's API,
/// and once after; run it again after an interruption.
Result<Exit> run_from_porch(const MigrateOptions& options, Context& context);

/// An object as a user would apply it: without status, and without the metadata that a server sets
/// (uid, versions, times, owners, finalizers).
json::Value carried(const json::Value& object);

/// With and without the annotation that makes controllers skip the object.
json::Value at_rest(const json::Value& object);
json::Value awake(const json::Value& object);

/// (namespace, name) -> uid, of sets.
using SetUids = std::map<std::pair<std::string, std::string>, std::string>;

/// A carried variant with the owner references of `variant` to sets, with the sets' new uids.
/// Owners that are not sets, and sets that do not exist, are omitted.
json::Value owned_again(const json::Value& variant, const json::Value& carried,
                        const SetUids& sets);

/// Namespace, repository, package, workspace: identifies a package revision in every place.
using RevisionPlace = std::tuple<std::string, std::string, std::string, std::string>;
RevisionPlace place_of(const json::Value& revision);

/// Maps each package revision to "namespace/name" of its variant: the one of `variants` that owns
/// it, else the one that its annotation names. Revisions without a variant are omitted.
std::map<RevisionPlace, std::string> makers(const std::vector<json::Value>& revisions,
                                            const std::vector<json::Value>& variants);

/// The Secrets that repositories use to log in to git servers, sorted.
std::vector<krm::ObjectKey> logins(const std::vector<json::Value>& repositories);

}  // namespace portico::cli
