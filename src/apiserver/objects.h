// The verbs on objects that a registry stores: of the kinds that are always there and of those
// that definitions define.
#pragma once

#include <functional>
#include <string_view>

#include "apiserver/call.h"
#include "apiserver/pump.h"
#include "base/clock.h"
#include "kubeapi/options.h"
#include "registry/registry.h"

namespace portico::apiserver {

/// All must outlive the handler.
struct ObjectsWorld {
  registry::Registry& registry;
  Pump& pump;
  const Clock& clock;
  /// Whether a user may write a role or binding in place of `stored` (null: it is new): nobody
  /// grants more than they have (access/escalation.h).
  std::function<Result<Done>(const access::User& user, const json::Value& stored,
                             const json::Value& wanted, std::string_view url_name)>
      may_grant;
};

class Objects : public ResourceHandler {
 public:
  explicit Objects(ObjectsWorld world) : world_(std::move(world)) {}
  kubeapi::Reply<Outcome> serve(Call& call) override;

 private:
  kubeapi::Reply<Outcome> get(Call& call);
  kubeapi::Reply<Outcome> list(Call& call);
  kubeapi::Reply<Outcome> watch(Call& call);
  kubeapi::Reply<Outcome> create(Call& call);
  kubeapi::Reply<Outcome> update(Call& call);
  kubeapi::Reply<Outcome> patch(Call& call);
  kubeapi::Reply<Outcome> apply(Call& call);
  kubeapi::Reply<Outcome> remove(Call& call);
  kubeapi::Reply<Outcome> remove_all(Call& call);
  kubeapi::Reply<json::Value> stored(const Call& call) const;
  static kubeapi::Reply<Outcome> answer(Call& call, int status, const json::Value& object);
  /// Stores `wanted` in place of `old`; `tracked`: its managedFields are as they are to be.
  kubeapi::Reply<json::Value> replace(Call& call, const json::Value& old, const json::Value& wanted,
                                      const kubeapi::WriteOptions& options, bool tracked);
  kubeapi::Reply<json::Value> commit(const Call& call, registry::Write write, bool dry_run);
  /// A role or binding with its defaults, where it is valid and the caller may grant it; other
  /// objects as they are.
  kubeapi::Reply<json::Value> granted(const Call& call, const json::Value& stored,
                                      const json::Value& object, std::string_view url_name) const;
  kubeapi::Reply<Done> check_namespace(const Call& call) const;

  ObjectsWorld world_;
};

}  // namespace portico::apiserver
