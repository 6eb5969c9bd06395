// Package revisions in the API: read from the registry, written through PackageStore and Drafts.
#pragma once

#include "apiserver/call.h"
#include "base/clock.h"
#include "base/log.h"
#include "drafts/drafts.h"
#include "kubeapi/options.h"
#include "packages/package_store.h"
#include "registry/registry.h"

namespace portico::apiserver {

/// All references must outlive the handler.
struct PackagesWorld {
  registry::Registry& registry;
  packages::PackageStore& packages;
  drafts::Drafts& drafts;
  const Clock& clock;
  Log* log = nullptr;  // logs users' actions; may be null
};

/// The resource packagerevisions and its subresource approval. A create returns when the draft is
/// durable; if it fails, nothing of the draft remains. An update changes the object's metadata,
/// then the draft's Kptfile, then the lifecycle; if one step fails externally (for example, the
/// remote is unavailable), the earlier steps stay in effect. An approval changes only the
/// lifecycle.
class PackageRevisions : public ResourceHandler {
 public:
  /// `stored` serves the read-only verbs.
  PackageRevisions(PackagesWorld world, ResourceHandler& stored) : world_(world), stored_(stored) {}
  kubeapi::StatusOr<Outcome> serve(Call& call) override;

 private:
  kubeapi::StatusOr<Outcome> approval(Call& call);
  kubeapi::StatusOr<Outcome> create(Call& call);
  /// Creates what was sent or applied; `managed`: it already has its managedFields.
  kubeapi::StatusOr<json::Value> make(Call& call, const json::Value& sent,
                                      const kubeapi::WriteOptions& options, bool managed);
  kubeapi::StatusOr<Outcome> update(Call& call);
  kubeapi::StatusOr<Outcome> patch(Call& call);
  kubeapi::StatusOr<Outcome> apply(Call& call);
  kubeapi::StatusOr<Outcome> remove(Call& call);
  /// Deletes each selected revision, up to the first that is refused; returns their previous
  /// states.
  kubeapi::StatusOr<Outcome> remove_all(Call& call);
  /// Deletes one revision; returns the object that answers the deletion.
  kubeapi::StatusOr<json::Value> remove_one(Call& call, const json::Value& old,
                                            const kubeapi::DeleteOptions& options);
  kubeapi::StatusOr<json::Value> find(const Call& call) const;
  /// Changes `old` to `wanted`.
  kubeapi::StatusOr<json::Value> replace(Call& call, const json::Value& old,
                                         const json::Value& wanted,
                                         const kubeapi::WriteOptions& options, bool managed);
  kubeapi::StatusOr<json::Value> write_metadata(Call& call, const json::Value& old,
                                                const json::Value& wanted, bool dry_run);
  kubeapi::StatusOr<json::Value> write_kptfile(Call& call, const json::Value& old,
                                               const json::Value& wanted, bool dry_run);
  kubeapi::StatusOr<json::Value> move(Call& call, const json::Value& old,
                                      std::string_view lifecycle, bool dry_run);

  PackagesWorld world_;
  ResourceHandler& stored_;
};

/// The caller as author of commits. Like Porch, it uses the user name as address, too. A client on
/// the server's unix socket is the server's owner, and sends its git identity in kAuthorHeader.
packages::Actor actor_of(const access::User& user, const http::Request& request);
/// Also with the id of the request.
packages::Actor actor_of(const Call& call);
inline constexpr const char* kAuthorHeader = "Portico-Author";  // "Ada <ada%40example.com>"

/// Converts an error of PackageStore or Drafts about `name` into the client's answer; never 500 for
/// what the client can correct.
kubeapi::StatusError refused_write(const Call& call, const Error& error, std::string_view name);

}  // namespace portico::apiserver
