// The verbs on objects stored in a registry: of built-in kinds and of custom resources.
#pragma once

#include <string_view>
#include <vector>

#include "apiserver/call.h"
#include "apiserver/definitions.h"
#include "apiserver/internal/channel.h"
#include "apiserver/internal/printed_events.h"
#include "apiserver/namespaces.h"
#include "apiserver/pump.h"
#include "apiserver/rights.h"
#include "apiserver/strategy.h"
#include "base/clock.h"
#include "base/log.h"
#include "kubeapi/answers.h"
#include "kubeapi/options.h"
#include "kubeapi/selector.h"
#include "registry/registry.h"

namespace portico::apiserver {

/// All references must outlive the handler.
struct ObjectsWorld {
  registry::Registry& registry;
  Pump& pump;
  PrintedEvents& printed;  // must outlive the pump, whose threads use it
  const Clock& clock;
  Rights& rights;
  Namespaces& namespaces;
  Log* log = nullptr;  // logs users' actions; may be null
  /// How long to wait for a resourceVersion in the future; the same as Kubernetes' watch cache.
  std::chrono::milliseconds patience{3000};
};

class Objects : public ResourceHandler {
 public:
  explicit Objects(ObjectsWorld world)
      : world_(world), definitions_(world_.registry, world_.clock) {}
  kubeapi::StatusOr<Outcome> serve(Call& call) override;

 private:
  struct Page {
    std::vector<json::Value> objects;  // as stored
    kubeapi::ListMeta meta;
  };
  /// The objects of a list request: all, or one page.
  kubeapi::StatusOr<Page> read_page(const Call& call, const kubeapi::ListOptions& options,
                                    const kubeapi::Filter& filter) const;
  kubeapi::StatusOr<Outcome> get(Call& call);
  kubeapi::StatusOr<Outcome> list(Call& call);
  kubeapi::StatusOr<Outcome> watch(Call& call);
  kubeapi::StatusOr<Outcome> create(Call& call);
  kubeapi::StatusOr<Outcome> update(Call& call);
  kubeapi::StatusOr<Outcome> patch(Call& call);
  kubeapi::StatusOr<Outcome> apply(Call& call);
  kubeapi::StatusOr<Outcome> scale(Call& call);
  kubeapi::StatusOr<json::Value> rescale(Call& call, const json::Value& old,
                                         const json::Value& scale,
                                         const kubeapi::WriteOptions& options);
  kubeapi::StatusOr<Outcome> remove(Call& call);
  kubeapi::StatusOr<Outcome> remove_all(Call& call);
  /// Deletes one object; returns the object that answers the deletion.
  kubeapi::StatusOr<json::Value> remove_one(const Call& call, const json::Value& object,
                                            const kubeapi::DeleteOptions& options);
  kubeapi::StatusOr<json::Value> stored(const Call& call) const;
  /// Waits until the registry has reached this version. 504 with a retry delay on timeout.
  kubeapi::StatusOr<Done> await(registry::ResourceVersion version) const;
  static kubeapi::StatusOr<Outcome> answer(Call& call, int status, const json::Value& object);
  /// Replaces `old`, the stored object `kept` in the version of the call, with `wanted`.
  /// `tracked_already`: its managedFields are already up to date.
  kubeapi::StatusOr<json::Value> replace(Call& call, const json::Value& kept,
                                         const json::Value& old, const json::Value& wanted,
                                         const kubeapi::WriteOptions& options,
                                         bool tracked_already);
  /// `object`, which was made from `prepared`, with updated managedFields.
  json::Value tracked(const Call& call, const json::Value& old, const Prepared& prepared,
                      const json::Value& object, const kubeapi::WriteOptions& options) const;
  kubeapi::StatusOr<json::Value> commit(const Call& call, registry::Write write, bool dry_run);
  kubeapi::StatusError exists_already(const Call& call, const std::string& name) const;
  /// For a role or binding: the object with defaults, if it is valid and the caller may grant it.
  /// Other objects are returned unchanged.
  kubeapi::StatusOr<json::Value> granted(const Call& call, const json::Value& stored,
                                         const Prepared& prepared, std::string_view url_name) const;
  /// Runs what must follow a write immediately: settles definitions and namespaces, and the rules
  /// of aggregated roles. `ns`: the namespace of an object that is gone or being deleted; otherwise
  /// "".
  Result<Done> after_write(const Call& call, const std::string& ns);
  kubeapi::StatusOr<Done> remove_each(const Call& call, const std::vector<json::Value>& objects,
                                      const kubeapi::DeleteOptions& options);
  kubeapi::StatusOr<Done> check_namespace(const Call& call) const;

  ObjectsWorld world_;
  Definitions definitions_;
  Channels channels_;
};

}  // namespace portico::apiserver
