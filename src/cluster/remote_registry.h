// The Registry over a Kubernetes API without a cache: each call asks the server.
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
  /// Fields for queries. The server selects by those whose paths are in `selectable`; the others
  /// are filtered here.
  std::vector<registry::IndexedField> indexes = {};
  std::map<krm::GroupKind, std::set<std::string>> selectable = {};  // "spec.repository"
  std::size_t page = 500;                                           // objects per list request
};

/// Implements registry.h, except for what an API cannot provide:
/// - kinds() returns the kinds that the server serves and can list, even without any objects. A
///   list or watch without a kind covers those that the caller may list.
/// - A list without a kind has the version of its oldest part, and no pages. If owner or fields are
///   filtered here, a page may have fewer objects than its limit.
/// - commit() performs the writes one by one: those before a failed one stay written. An update
///   without a resourceVersion applies to the current object, and is retried if that changes
///   meanwhile. kDelete returns the object as read before.
/// - A watch is ordered for each kind and has no gaps. If it has an owner or fields, an object that
///   matched before it began is reported as added at its first change. `previous` is the state that
///   the watch last saw, or null if it has not seen the object.
/// - version() is 0 if the server does not report one; versions that are not numbers are also 0.
/// - fork() lists everything that the caller may list.
///
/// `api` must outlive the registry.
std::unique_ptr<registry::Registry> make_remote_registry(Api& api, RemoteOptions options);

}  // namespace portico::cluster
