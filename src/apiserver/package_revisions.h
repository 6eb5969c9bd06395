// Package revisions over the API: read from the registry, written through PackageStore and Drafts.
#pragma once

#include "apiserver/call.h"
#include "base/clock.h"
#include "base/log.h"
#include "drafts/drafts.h"
#include "kubeapi/options.h"
#include "packages/package_store.h"
#include "registry/registry.h"

namespace portico::apiserver {

/// All must outlive the handler.
struct PackagesWorld {
  registry::Registry& registry;
  packages::PackageStore& packages;
  drafts::Drafts& drafts;
  const Clock& clock;
  Log* log = nullptr;  // is told what people do; may be null
};

/// The resource packagerevisions and its subresource approval. A create returns when the draft is
/// durable, or nothing of it is there. An update changes, in this order, the object's metadata,
/// what a draft's Kptfile holds, and the lifecycle; where one of them is refused by the world (a
/// remote that is away), those before it stay. An approval changes the lifecycle and nothing else.
class PackageRevisions : public ResourceHandler {
 public:
  /// `stored` answers what only reads.
  PackageRevisions(PackagesWorld world, ResourceHandler& stored) : world_(world), stored_(stored) {}
  kubeapi::Reply<Outcome> serve(Call& call) override;

 private:
  kubeapi::Reply<Outcome> approval(Call& call);
  kubeapi::Reply<Outcome> create(Call& call);
  /// Creates what was sent or applied, of which `managed` says whether it has its managedFields.
  kubeapi::Reply<json::Value> make(Call& call, const json::Value& sent,
                                   const kubeapi::WriteOptions& options, bool managed);
  kubeapi::Reply<Outcome> update(Call& call);
  kubeapi::Reply<Outcome> patch(Call& call);
  kubeapi::Reply<Outcome> apply(Call& call);
  kubeapi::Reply<Outcome> remove(Call& call);
  /// Each of those that are selected, up to the first that is refused; as they were.
  kubeapi::Reply<Outcome> remove_all(Call& call);
  /// One of them, as its deletion is answered.
  kubeapi::Reply<json::Value> remove_one(Call& call, const json::Value& old,
                                         const kubeapi::DeleteOptions& options);
  kubeapi::Reply<json::Value> find(const Call& call) const;
  /// Brings `old` to what `wanted` says.
  kubeapi::Reply<json::Value> replace(Call& call, const json::Value& old, const json::Value& wanted,
                                      const kubeapi::WriteOptions& options, bool managed);
  kubeapi::Reply<json::Value> write_metadata(Call& call, const json::Value& old,
                                             const json::Value& wanted, bool dry_run);
  kubeapi::Reply<json::Value> write_kptfile(Call& call, const json::Value& old,
                                            const json::Value& wanted, bool dry_run);
  kubeapi::Reply<json::Value> move(Call& call, const json::Value& old, std::string_view lifecycle,
                                   bool dry_run);

  PackagesWorld world_;
  ResourceHandler& stored_;
};

/// Who asks, as author of commits: Porch takes the name for the address, too. Who comes through the
/// server's unix socket is its owner, and says what he is called in git (kAuthorHeader).
packages::Actor actor_of(const access::User& user, const http::Request& request);
packages::Actor actor_of(const Call& call);
inline constexpr const char* kAuthorHeader = "Portico-Author";  // "Ada <ada%40example.com>"

/// What a refusal of PackageStore or Drafts about `name` is to a client: never 500 for what the
/// client can change.
kubeapi::Refusal refused_write(const Call& call, const Error& error, std::string_view name);

}  // namespace portico::apiserver
