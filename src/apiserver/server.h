// The Kubernetes API of one registry as an http::Handler: authentication, authorization, dispatch,
// and the answer in the format that the client accepts.
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
  /// Used to write package revisions; without both of them, package revisions are read-only.
  packages::PackageStore* packages = nullptr;
  drafts::Drafts* drafts = nullptr;
  /// Issues service account tokens; without it, none are issued.
  TokenIssuer* tokens = nullptr;
  /// Operations on the system as a whole; without it, they are not served.
  Operations* operations = nullptr;
  /// Receives audit events (audit.h).
  AuditLog* audit = nullptr;
  Log* log = nullptr;
  Meter* meter = nullptr;
  /// Where the server keeps the objects that it needs itself (namespaces, roles, definitions);
  /// null: in `registry`. Behind a cluster's API server, the cluster has its own.
  registry::Registry* own = nullptr;
  /// Authorizes requests; null: the stored roles do. With it, the Impersonate-* headers are
  /// refused: the API server in front has already handled impersonation.
  Authorizer* authorizer = nullptr;
  /// Each request becomes a span, except health checks and metrics; a traceparent header continues
  /// the client's trace.
  Tracer* tracer = nullptr;
  /// Returns /metrics in Prometheus' text format; empty: the path does not exist. Thread-safe.
  std::function<std::string()> metrics = {};
};

struct Settings {
  std::string address;  // host and port under which clients reach the server
  std::string version;  // of the program: "0.1.0"
  /// The only API group to serve; "": all.
  std::string only_group = {};
};

/// The shares of concurrent requests: reads, writes, watches, package work and health checks, each
/// with limits per user. For http::Options; the handler of make_server() assigns requests to them.
std::vector<http::Share> shares();

/// Creates the objects that a server needs (namespaces, roles) if they are missing, and follows
/// definitions and roles. Everything `world` points to must outlive the handler.
Result<std::unique_ptr<http::Handler>> make_server(World world, Settings settings);

}  // namespace portico::apiserver
