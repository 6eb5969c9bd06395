// The Registry over a Kubernetes API with a copy of what is asked for: reads cost nothing and have
// versions without gaps, writes go to the API and are seen at once.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "base/log.h"
#include "cluster/api.h"
#include "krm/meta.h"
#include "reflector/reflector.h"
#include "registry/indexed_field.h"
#include "registry/registry.h"

namespace portico::cluster {

struct MirrorOptions {
  std::vector<registry::IndexedField> indexes = {};  // what queries may name
  std::vector<krm::GroupKind> kinds =
      {};  // followed from the start; others when they are asked for
  /// Nothing but what is in this namespace is followed, of kinds that have one; "": everything.
  std::string ns = {};
  /// Of a kind only what this selects by fields is followed: "reportingComponent=portico".
  std::map<krm::GroupKind, std::string> selected = {};
  /// What is shown of an object that the API tells of; null: it is as if it were not there yet,
  /// until it is shown once. Pure; empty: as it is. It may neither change nor depend on namespace,
  /// name and versions.
  std::function<json::Value(const json::Value& object)> shown = {};
  /// How long a read waits for the first list of a kind.
  std::chrono::milliseconds patience = std::chrono::seconds(30);
  std::size_t watch_window = 10'000;  // events that are kept for watches that begin in the past
  reflector::Settings reflector = {};
  std::size_t page = 500;
  std::function<double()> random = {};  // from 0 to 1; empty: by the system
  Log* log = nullptr;                   // may be null; outlives the mirror
  std::stop_token stop = {};            // reads wait for nothing any more where it comes
};

class Mirror : public registry::Registry {
 public:
  /// The API's answer to a write that went other ways than this registry: from now on reads see it.
  virtual void wrote(const json::Value& object) = 0;
  virtual void wrote_gone(const json::Value& last) = 0;
  /// The watches that are open are given up and opened anew, from where they were: for who knows
  /// that the API could not be reached. A connection whose other end is gone says nothing for ever.
  virtual void listen_again() = 0;
};

/// As registry.h says, but for what an API cannot give:
/// - Each kind that is asked for is listed and watched, in a thread of its own, until the mirror
///   ends. A query without a kind is about those that are followed by then. Of a kind that the API
///   does not serve (yet) there is no object.
/// - versions are the mirror's own; those in metadata are the API's. `version()` of another process
///   says nothing here.
/// - commit() writes one after the other: what comes before the one that fails stays written. What
///   the API forbids is kUnavailable, with the reason: the right may be granted at any time.
/// - Where the API cannot be reached, reads and watches go on with what is known.
/// - A status of which the API keeps a part, since its definition of the kind has not all fields,
/// is
///   shown as it was written, until somebody else writes it.
///
/// get, list: kUnavailable where a kind was not listed yet, with the reason; kInvalid,
/// Reason::kForbidden, where the caller may not list it. `api` outlives it.
std::unique_ptr<Mirror> make_mirror(Api& api, MirrorOptions options);

}  // namespace portico::cluster
