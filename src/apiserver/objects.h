// The verbs on objects that a registry stores: of the kinds that are always there and of those
// that definitions define.
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

/// All must outlive the handler.
struct ObjectsWorld {
  registry::Registry& registry;
  Pump& pump;
  PrintedEvents& printed;  // outlives the pump, whose threads use it
  const Clock& clock;
  Rights& rights;
  Namespaces& namespaces;
  Log* log = nullptr;  // is told what people do; may be null
  /// How long a version of the future is waited for, as Kubernetes' cache does.
  std::chrono::milliseconds patience{3000};
};

class Objects : public ResourceHandler {
 public:
  explicit Objects(ObjectsWorld world)
      : world_(world), definitions_(world_.registry, world_.clock) {}
  kubeapi::Reply<Outcome> serve(Call& call) override;

 private:
  struct Page {
    std::vector<json::Value> objects;  // as they are stored
    kubeapi::ListMeta meta;
  };
  /// What a list asks for, whole or a page.
  kubeapi::Reply<Page> read_page(const Call& call, const kubeapi::ListOptions& options,
                                 const kubeapi::Filter& filter) const;
  kubeapi::Reply<Outcome> get(Call& call);
  kubeapi::Reply<Outcome> list(Call& call);
  kubeapi::Reply<Outcome> watch(Call& call);
  kubeapi::Reply<Outcome> create(Call& call);
  kubeapi::Reply<Outcome> update(Call& call);
  kubeapi::Reply<Outcome> patch(Call& call);
  kubeapi::Reply<Outcome> apply(Call& call);
  kubeapi::Reply<Outcome> scale(Call& call);
  kubeapi::Reply<json::Value> rescale(Call& call, const json::Value& old, const json::Value& scale,
                                      const kubeapi::WriteOptions& options);
  kubeapi::Reply<Outcome> remove(Call& call);
  kubeapi::Reply<Outcome> remove_all(Call& call);
  /// One object, as its deletion is answered.
  kubeapi::Reply<json::Value> remove_one(const Call& call, const json::Value& object,
                                         const kubeapi::DeleteOptions& options);
  kubeapi::Reply<json::Value> stored(const Call& call) const;
  /// The registry is at this version, or comes to it soon. 504 with when to try again.
  kubeapi::Reply<Done> await(registry::ResourceVersion version) const;
  static kubeapi::Reply<Outcome> answer(Call& call, int status, const json::Value& object);
  /// Stores `wanted` in place of `old`, which is `kept`, as it is stored, in the version of the
  /// call; `tracked_already`: its managedFields are as they are to be.
  kubeapi::Reply<json::Value> replace(Call& call, const json::Value& kept, const json::Value& old,
                                      const json::Value& wanted,
                                      const kubeapi::WriteOptions& options, bool tracked_already);
  /// `object`, made of what was prepared, with the owners of its fields.
  json::Value tracked(const Call& call, const json::Value& old, const Prepared& prepared,
                      const json::Value& object, const kubeapi::WriteOptions& options) const;
  kubeapi::Reply<json::Value> commit(const Call& call, registry::Write write, bool dry_run);
  kubeapi::Refusal exists_already(const Call& call, const std::string& name) const;
  /// A role or binding with its defaults, where it is valid and the caller may grant it; other
  /// objects as they are.
  kubeapi::Reply<json::Value> granted(const Call& call, const json::Value& stored,
                                      const Prepared& prepared, std::string_view url_name) const;
  /// What follows a write at once: the life of definitions and namespaces, the rules of aggregated
  /// roles. `ns`: of a namespaced object that is gone, or is being deleted; else "".
  Result<Done> after_write(const Call& call, const std::string& ns);
  kubeapi::Reply<Done> remove_each(const Call& call, const std::vector<json::Value>& objects,
                                   const kubeapi::DeleteOptions& options);
  kubeapi::Reply<Done> check_namespace(const Call& call) const;

  ObjectsWorld world_;
  Definitions definitions_;
  Channels channels_;
};

}  // namespace portico::apiserver
