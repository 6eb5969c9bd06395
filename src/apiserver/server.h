// The Kubernetes API of one registry, as an http::Handler: who asks, what for, whether they may,
// and the answer in the form they take.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "apiserver/audit.h"
#include "apiserver/authorizer.h"
#include "apiserver/identities.h"
#include "apiserver/operations.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/meter.h"
#include "base/result.h"
#include "base/tracer.h"
#include "drafts/drafts.h"
#include "http/handler.h"
#include "http/server.h"
#include "packages/package_store.h"
#include "registry/registry.h"

namespace portico::apiserver {

struct World {
  registry::Registry& registry;
  Authenticator& authenticator;
  const Clock& clock;
  /// What package revisions are written through; without both they are read only.
  packages::PackageStore* packages = nullptr;
  drafts::Drafts* drafts = nullptr;
  /// Issues tokens of service accounts; without it there are none.
  TokenIssuer* tokens = nullptr;
  /// What the system does as a whole; without it that is not served.
  Operations* operations = nullptr;
  /// Takes what is kept of requests (audit.h).
  AuditLog* audit = nullptr;
  Log* log = nullptr;
  Meter* meter = nullptr;
  /// Where what the server itself needs is kept (namespaces, roles, definitions); null: with the
  /// rest. A cluster that the server stands behind looks after its own.
  registry::Registry* own = nullptr;
  /// Says who may do what; null: the roles that are kept. With it nobody acts as somebody else by
  /// headers: who asks it has done that already.
  Authorizer* authorizer = nullptr;
  /// Each request is a span, but for those about health and numbers; one with a header traceparent
  /// continues that trace.
  Tracer* tracer = nullptr;
  /// The numbers of /metrics, in Prometheus' text format; empty: there is no such path. Safe from
  /// any thread.
  std::function<std::string()> metrics = {};
};

struct Settings {
  std::string address;  // host and port, as clients reach the server
  std::string version;  // of the program: "0.1.0"
  /// The group that is served, where it is one; "": all.
  std::string only_group = {};
};

/// How the requests that are under way are shared out: reads, writes, watches, package work and
/// questions about health, with what one user may have of each. For http::Options; the handler of
/// make_server() places requests by it.
std::vector<http::Share> shares();

/// Makes the objects that a server needs (namespaces, roles) where they are missing, and follows
/// definitions and roles. All that `world` points to must outlive it.
Result<std::unique_ptr<http::Handler>> make_server(World world, Settings settings);

}  // namespace portico::apiserver
