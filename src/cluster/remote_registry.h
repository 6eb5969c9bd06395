// The Registry over a Kubernetes API: no cache, each call asks the server.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/clock.h"
#include "cluster/api.h"
#include "krm/meta.h"
#include "registry/indexed_field.h"
#include "registry/registry.h"

namespace portico::cluster {

struct RemoteOptions {
  /// What queries may name. The server is asked to select by those whose paths it can select by;
  /// the others are looked at here.
  std::vector<registry::IndexedField> indexes = {};
  std::map<krm::GroupKind, std::set<std::string>> selectable = {};  // "spec.repository"
  std::size_t page = 500;  // objects that are asked for at once
};

/// As registry.h says, but for what an API cannot give:
/// - kinds() are those that the server serves and can list, whether or not there is an object; a
///   list or watch without a kind is of those that the caller may list.
/// - A list without a kind is at the version of its oldest part, and has no pages. Where owner or
///   fields are looked at here, a page may have fewer objects than its limit.
/// - commit() writes one after the other: what comes before the one that fails stays written. An
///   update without a resourceVersion is of what is there when it is made, and is tried again where
///   that moves; kDelete hands back the object as it was read before.
/// - A watch is in order for each kind, and gapless. Where it has an owner or fields, an object
///   that met them before it began is told as added with its first change. `previous` is what the
///   watch has seen last of the object, null where it has seen nothing.
/// - version() is 0 where the server does not say; versions that are no numbers are 0, too.
/// - fork() lists all that the caller may list.
///
/// `api` outlives it.
std::unique_ptr<registry::Registry> make_remote_registry(Api& api, RemoteOptions options);

}  // namespace portico::cluster
