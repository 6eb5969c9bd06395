#include "apiserver/server.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <set>

#include "access/impersonate.h"
#include "api/kinds.h"
#include "apiserver/body.h"
#include "apiserver/informer.h"
#include "apiserver/internal/first_objects.h"
#include "apiserver/internal/impersonation.h"
#include "apiserver/internal/placing.h"
#include "apiserver/internal/request_measures.h"
#include "apiserver/internal/request_span.h"
#include "apiserver/live_catalog.h"
#include "apiserver/objects.h"
#include "apiserver/openapi_documents.h"
#include "apiserver/package_list.h"
#include "apiserver/package_resources.h"
#include "apiserver/package_revisions.h"
#include "apiserver/package_revs.h"
#include "apiserver/package_view.h"
#include "apiserver/portico_paths.h"
#include "apiserver/pump.h"
#include "apiserver/reviews.h"
#include "apiserver/rights.h"
#include "apiserver/token_requests.h"
#include "base/guarded.h"
#include "base/hash.h"
#include "base/lru_cache.h"
#include "base/time.h"
#include "json/text.h"
#include "krm/object.h"
#include "kubeapi/discovery.h"

namespace portico::apiserver {

using json::Value;
using kubeapi::StatusError;
using kubeapi::StatusOr;

namespace {

constexpr std::size_t kKnownBytes = std::size_t{4} << 20, kBytesOfOne = 256;
constexpr std::size_t kMostContent = std::size_t{64} << 20;  // bytes of a package, as it is sent

http::Response encode(int status, const Value& body, const kubeapi::Form& form) {
  http::Response out;
  out.status = status;
  if (form.encoding == kubeapi::Encoding::kYaml) {
    out.headers.set("Content-Type", "application/yaml");
    out.body = krm::Object::from_value(body).text();
    return out;
  }
  out.headers.set("Content-Type",
                  form.content_type.empty() ? "application/json" : form.content_type);
  out.body = (form.pretty ? json::print_pretty(body, 2) : json::print(body)) + "\n";
  return out;
}

http::Response refused(const StatusError& refusal) {
  http::Response out = encode(refusal.code, kubeapi::to_status(refusal), kubeapi::Form{});
  if (refusal.details && refusal.details->retry_after_seconds > 0)
    out.headers.set("Retry-After", std::to_string(refusal.details->retry_after_seconds));
  return out;
}

http::Response plain(int status, std::string body) {
  http::Response out;
  out.status = status;
  out.headers.set("Content-Type", "text/plain; charset=utf-8");
  out.body = std::move(body);
  return out;
}

http::Headers& headers_of(http::Answer& answer) {
  auto* const stream = std::get_if<http::Streaming>(&answer);
  return stream != nullptr ? stream->head.headers : std::get<http::Response>(answer).headers;
}

registry::Registry& own_registry(const World& world) {
  return world.own != nullptr ? *world.own : world.registry;
}

class Server : public http::Handler {
 public:
  Server(World world, Settings settings, std::unique_ptr<Rights> rights,
         std::unique_ptr<Namespaces> namespaces)
      : world_(std::move(world)),
        settings_(std::move(settings)),
        package_view_(world_.registry),
        rights_(std::move(rights)),
        namespaces_(std::move(namespaces)),
        objects_({.registry = world_.registry,
                  .pump = pump_,
                  .printed = printed_,
                  .clock = world_.clock,
                  .rights = *rights_,
                  .namespaces = *namespaces_,
                  .log = world_.log}),
        contents_({.registry = world_.registry,
                   .pump = reading_pump_,
                   .printed = printed_contents_,
                   .clock = world_.clock,
                   .rights = *rights_,
                   .namespaces = *namespaces_}),
        viewed_packages_({.registry = package_view_,
                          .pump = pump_,
                          .printed = printed_,
                          .clock = world_.clock,
                          .rights = *rights_,
                          .namespaces = *namespaces_}),
        package_list_(world_.registry, viewed_packages_),
        package_revs_(world_.registry, objects_),
        reviews_(*rights_, world_.authenticator, world_.clock) {
    if (world_.tokens != nullptr) tokens_.emplace(world_.registry, *world_.tokens, world_.clock);
    if (world_.packages == nullptr || world_.drafts == nullptr) return;
    const PackagesWorld packages{world_.registry, *world_.packages, *world_.drafts, world_.clock,
                                 world_.log};
    revisions_.emplace(packages, objects_);
    resources_.emplace(packages, contents_);
    portico_.emplace(packages, world_.operations, *rights_);
  }

  Result<Done> start() {
    registry::Registry& own = own_registry(world_);
    PORTICO_DO(Definitions(own, world_.clock).settle(""));
    PORTICO_TRY(catalog_, LiveCatalog::open(own, settings_.only_group));
    PORTICO_TRY(definitions_,
                Informer::open(own, {{"apiextensions.k8s.io", "CustomResourceDefinition"}},
                               {.put = [this](const Value& one) { catalog_->put(one); },
                                .remove = [this](const Value& one) { catalog_->remove(one); }}));
    return Done{};
  }

  http::Answer handle(http::Request request) override {
    const auto began = std::chrono::steady_clock::now();
    Audited audited{.received = world_.clock.now()};
    RequestSpan span(world_.tracer, request);
    audited.id = audit_id_of(request);
    auto answer = answer_to(request, audited);
    if (!answer) answer = http::Answer(refused(answer.error()));
    headers_of(*answer).set(kAuditIdHeader, audited.id);
    span.record(audited, *answer);
    measure_request(world_.meter, request, audited.info, *catalog_->now(), *answer,
                    std::chrono::steady_clock::now() - began);
    if (const auto* response = std::get_if<http::Response>(&*answer))
      keep(request, audited, *response);
    return *std::move(answer);
  }

  http::Place place(const http::Request& head) override {
    return {.share = static_cast<std::size_t>(share_of(head)), .flow = flow_of(head)};
  }

  std::size_t body_limit(const http::Request& head) override {
    const std::string_view path = head.path();
    const bool content = path.starts_with("/apis/porch.kpt.dev/") &&
                         path.find("/packagerevisionresources/") != std::string_view::npos;
    return content || PorticoPaths::is_one(path) ? kMostContent : http::Handler::body_limit(head);
  }

  http::Response refuse(const http::Refusal& refusal) override {
    StatusError out;
    out.code = refusal.status;
    out.message = refusal.why;
    if (refusal.status == 429) {
      out.reason = "TooManyRequests";
      out.details.emplace();
      out.details->retry_after_seconds = refusal.retry_after.count();
    }
    if (refusal.status == 413) out = kubeapi::too_large(refusal.why);
    if (refusal.status == 504) out.reason = "Timeout";
    if (refusal.status == 400) out = kubeapi::bad_request(refusal.why);
    http::Response response = encode(out.code, kubeapi::to_status(out), kubeapi::Form{});
    return response;  // the server adds Retry-After
  }

 private:
  // Identifies the client without authenticating it. A token counts only after a user has
  // authenticated with it; before, the request belongs to its connection, so that made-up tokens do
  // not create flows.
  std::string flow_of(const http::Request& head) {
    const http::Peer* const peer = head.peer.get();
    if (peer != nullptr && peer->certificate)
      return "certificate " + peer->certificate->common_name;
    const std::string_view credentials = head.headers.get("Authorization");
    if (!credentials.empty()) {
      const std::string digest = sha256_hex(credentials);
      const auto user = known_.with([&](auto& known) { return known.find(digest); });
      if (user) return "user " + *user;
    }
    if (peer != nullptr && peer->unix_peer) return fmt::format("uid {}", peer->unix_peer->uid);
    return peer != nullptr ? "address " + peer->address : "";
  }

  void remember(const http::Request& request, const access::User& user) {
    const std::string_view credentials = request.headers.get("Authorization");
    if (credentials.empty()) return;
    known_.with([&](auto& known) {
      known.add(sha256_hex(credentials), std::make_shared<const std::string>(user.name),
                user.name.size() + kBytesOfOne);
    });
  }

  void keep(const http::Request& request, const Audited& audited, const http::Response& response) {
    if (world_.audit == nullptr || !is_audited(audited, response.status)) return;
    const Value event = audit_event(request, audited, response, world_.clock.now());
    world_.audit->write(json::print(event));
  }

  // `audited` is filled in as far as the request is processed.
  StatusOr<http::Answer> answer_to(const http::Request& request, Audited& audited) {
    PORTICO_TRY(http::Query query, http::Query::parse(request.query()));
    auto info = kubeapi::request_info(request.method, request.path(), query);
    if (!info) return kubeapi::bad_request(info.error().text());
    audited.info = *info;
    PORTICO_TRY(access::User user, authenticated(request, *info));
    audited.user = user;
    PORTICO_TRY(user, acting(std::move(user), request.headers));
    if (user != *audited.user) audited.acting = user;
    PORTICO_DO(definitions_->catch_up());
    Call call{.request = request,
              .info = *std::move(info),
              .query = std::move(query),
              .user = std::move(user),
              .catalog = catalog_->now(),
              .type = nullptr,
              .form = {},
              .now = rfc3339(world_.clock.now()),
              .audit_id = audited.id};
    // These paths check the rights that they need.
    if (portico_ && PorticoPaths::is_one(request.path())) return portico_->answer(call);
    const access::Request wanted = asked(call.info);
    auto reason = rights_->reason_to_allow(call.user, wanted);
    audited.decision = reason ? "allow" : "forbid";
    if (!reason) return reason.error();
    audited.reason = *std::move(reason);
    call.allow = [&](std::string_view verb) {
      access::Request more = wanted;
      more.verb = verb;
      return rights_->allow(call.user, more);
    };
    call.may_say = [&](const Value& stored, const Value& written) {
      return rights_->may_say(call.user, call.named(), stored, written);
    };
    if (!call.info.is_resource) return path_answer(call);
    call.type = call.catalog->find(call.info.group, call.info.version, call.info.resource);
    if (call.type == nullptr) return kubeapi::no_such_path();
    call.version = call.type->version(call.info.version);
    PORTICO_TRY(call.form, kubeapi::negotiate(request.headers.get("Accept"), {}));
    warn_of_version(call);
    ResourceHandler* const handler = handler_of(call);
    if (handler == nullptr) return kubeapi::no_such_method();
    auto outcome = handler->serve(call);
    audited.info.name = call.info.name;  // the name of a new object is in its body
    if (outcome) return finish(call, *std::move(outcome));
    kubeapi::Form form;
    form.encoding = call.form.encoding;
    http::Response out = encode(outcome.error().code, kubeapi::to_status(outcome.error()), form);
    if (const auto& details = outcome.error().details; details && details->retry_after_seconds > 0)
      out.headers.set("Retry-After", std::to_string(details->retry_after_seconds));
    add_warnings(call, out);
    return http::Answer(std::move(out));
  }

  // Warns if the version is deprecated.
  static void warn_of_version(Call& call) {
    if (!call.version->deprecated) return;
    if (!call.version->deprecation_warning.empty()) {
      call.warnings.push_back(call.version->deprecation_warning);
      return;
    }
    const auto& versions = call.type->versions;
    const auto next = std::find_if(versions.begin(), versions.end(),
                                   [](const kubeapi::Version& one) { return !one.deprecated; });
    std::string text = fmt::format("{}/{} {} is deprecated", call.named().group, call.version->name,
                                   call.named().kind);
    if (next != versions.end())
      text += fmt::format("; use {}/{} {}", call.named().group, next->name, call.named().kind);
    call.warnings.push_back(std::move(text));
  }

  StatusOr<access::User> authenticated(const http::Request& request,
                                       const kubeapi::RequestInfo& info) {
    static constexpr std::string_view kOpen[] = {"/healthz", "/livez", "/readyz", "/version"};
    auto user = world_.authenticator.who(request);
    if (user) {
      remember(request, *user);
      return *std::move(user);
    }
    if (std::find(std::begin(kOpen), std::end(kOpen), info.path) != std::end(kOpen) &&
        !request.headers.has("Authorization"))
      return access::User{.name = "system:anonymous", .groups = {"system:unauthenticated"}};
    return StatusError{401, "Unauthorized", "Unauthorized", std::nullopt};
  }

  // The user named by the Impersonate-* headers, if `user` may impersonate them.
  StatusOr<access::User> acting(access::User user, const http::Headers& headers) {
    PORTICO_TRY(const access::Impersonation wanted, impersonation_of(headers));
    if (!wanted.is_asked_for()) return user;
    if (world_.authorizer != nullptr)
      return StatusError{
          403, "Forbidden",
          "impersonation is handled by the API server in front of this one: send the request there",
          std::nullopt};
    PORTICO_TRY(user, rights_->acting_as(user, wanted));
    return user;
  }

  static access::Request asked(const kubeapi::RequestInfo& info) {
    return {.verb = info.verb,
            .group = info.group,
            .version = info.version,
            .resource = info.resource,
            .subresource = info.subresource,
            .name = info.name,
            .ns = info.ns,
            .is_resource = info.is_resource,
            .path = info.path};
  }

  // nullptr: this server cannot serve the resource.
  ResourceHandler* handler_of(const Call& call) {
    const krm::GroupKind kind = call.type->kind();
    if (call.type->origin == kubeapi::Origin::kComputed) return &reviews_;
    if (kind == krm::GroupKind{"", "ServiceAccount"} && call.info.subresource == "token" && tokens_)
      return &*tokens_;
    if (kind == api::package_kind()) return &package_list_;
    if (kind == krm::GroupKind{std::string(api::kConfigGroup), "PackageRev"}) return &package_revs_;
    if (kind == api::package_resources_kind()) return resources_ ? &*resources_ : nullptr;
    if (kind != api::revision_kind()) return &objects_;
    if (revisions_) return &*revisions_;
    const std::string& verb = call.info.verb;
    return verb == "get" || verb == "list" || verb == "watch" ? &objects_ : nullptr;
  }

  StatusOr<http::Answer> finish(const Call& call, Outcome outcome) {
    if (auto* stream = std::get_if<http::Streaming>(&outcome))
      return http::Answer(std::move(*stream));
    const Made& made = std::get<Made>(outcome);
    http::Response out = encode(made.status, made.body, call.form);
    add_warnings(call, out);
    return http::Answer(std::move(out));
  }

  static void add_warnings(const Call& call, http::Response& response) {
    for (const std::string& warning : call.warnings)
      response.headers.add("Warning", fmt::format("299 - {}", quoted(warning)));
  }

  static std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) {
      if (c == '"' || c == '\\') out += '\\';
      out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
    return out + "\"";
  }

  // All checks pass while the server answers: anything that can fail ends the process.
  static http::Response health(std::string_view which, const std::vector<std::string_view>& parts,
                               const http::Query& query) {
    static constexpr std::string_view kChecks[] = {"ping", "log", "etcd"};
    if (parts.size() > 1) {
      const bool known = parts.size() == 2 && std::find(std::begin(kChecks), std::end(kChecks),
                                                        parts[1]) != std::end(kChecks);
      return known ? plain(200, "ok") : plain(404, "404 page not found\n");
    }
    if (!query.has("verbose")) return plain(200, "ok");
    std::string out;
    for (const std::string_view check : kChecks) {
      const auto excluded = query.all("exclude");
      const bool left_out = std::find(excluded.begin(), excluded.end(), check) != excluded.end();
      out += fmt::format("[+]{} {}\n", check, left_out ? "excluded: ok" : "ok");
    }
    return plain(200, fmt::format("{}{} check passed\n", out, which));
  }

  StatusOr<http::Answer> path_answer(const Call& call) {
    const bool reads = call.request.method == "GET" || call.request.method == "HEAD";
    std::vector<std::string_view> parts;
    for (std::string_view rest = call.info.path; !rest.empty();) {
      rest.remove_prefix(1);
      const std::size_t slash = rest.find('/');
      if (const std::string_view part = rest.substr(0, slash); !part.empty()) parts.push_back(part);
      rest = slash == std::string_view::npos ? "" : rest.substr(slash);
    }
    const std::string_view first = parts.empty() ? "" : parts[0];
    if (first == "healthz" || first == "livez" || first == "readyz")
      return http::Answer(health(first, parts, call.query));
    if (first == "metrics" && parts.size() == 1 && world_.metrics) {
      if (!reads) return kubeapi::no_such_method();
      http::Response out = plain(200, world_.metrics());
      out.headers.set("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
      return http::Answer(std::move(out));
    }
    if (first == "openapi") return published_.answer(call);
    if (first == "version" || first == "api" || first == "apis" || parts.empty()) {
      if (!reads) return kubeapi::no_such_method();
    }
    if (first == "version" && parts.size() == 1) return object(call, version_info());
    const bool core = first == "api";
    if (parts.size() == 1 && (core || first == "apis")) return groups(call, core);
    if (core && parts.size() == 2)
      return found(call, kubeapi::resource_list(*call.catalog, "", parts[1]));
    if (first == "apis" && parts.size() == 2)
      return found(call, kubeapi::group(*call.catalog, parts[1]));
    // Enough for a kube-apiserver to forward the paths below.
    if (first == "apis" && parts.size() == 3 && parts[1] == PorticoPaths::kGroup &&
        parts[2] == PorticoPaths::kVersion && portico_)
      return object(call, Value::object({{"kind", "APIResourceList"},
                                         {"apiVersion", "v1"},
                                         {"groupVersion", fmt::format("{}/{}", parts[1], parts[2])},
                                         {"resources", Value::array({})}}));
    if (first == "apis" && parts.size() == 3)
      return found(call, kubeapi::resource_list(*call.catalog, parts[1], parts[2]));
    if (parts.empty()) return object(call, paths(*call.catalog, bool(world_.metrics)));
    return kubeapi::no_such_path();
  }

  StatusOr<http::Answer> object(const Call& call, const Value& body) {
    kubeapi::Offer offer;
    offer.forms = false;
    PORTICO_TRY(const kubeapi::Form form,
                kubeapi::negotiate(call.request.headers.get("Accept"), offer));
    return http::Answer(encode(200, body, form));
  }

  StatusOr<http::Answer> found(const Call& call, const Value& body) {
    if (body.is_null()) return kubeapi::no_such_path();
    return object(call, body);
  }

  StatusOr<http::Answer> groups(const Call& call, bool core) {
    kubeapi::Offer offer;
    offer.forms = false;
    offer.group_discovery = true;
    PORTICO_TRY(const kubeapi::Form form,
                kubeapi::negotiate(call.request.headers.get("Accept"), offer));
    const bool aggregated = form.shape == kubeapi::Shape::kGroupDiscovery;
    http::Response out = encode(200,
                                aggregated ? kubeapi::group_discovery(*call.catalog, core)
                                : core     ? kubeapi::api_versions(settings_.address)
                                           : kubeapi::group_list(*call.catalog),
                                form);
    if (!aggregated) return http::Answer(std::move(out));
    const std::string tag = fmt::format("\"{}\"", sha256_hex(out.body));
    if (call.request.headers.get("If-None-Match") == tag) out = http::Response{.status = 304};
    out.headers.set("ETag", tag);
    out.headers.set("Vary", "Accept");
    return http::Answer(std::move(out));
  }

  Value version_info() const {
    return Value::object({{"major", "1"},
                          {"minor", "34"},
                          {"emulationMajor", "1"},
                          {"emulationMinor", "34"},
                          {"minCompatibilityMajor", "1"},
                          {"minCompatibilityMinor", "33"},
                          {"gitVersion", fmt::format("v1.34.0+portico-{}", settings_.version)},
                          {"platform", "linux/amd64"}});
  }

  static Value paths(const kubeapi::Catalog& catalog, bool metrics) {
    std::vector<std::string> all = {"/api",        "/api/v1",     "/apis",   "/healthz", "/livez",
                                    "/openapi/v2", "/openapi/v3", "/readyz", "/version"};
    for (const std::string& group : catalog.groups()) {
      if (group.empty()) continue;
      all.push_back("/apis/" + group);
      for (const std::string& version : catalog.versions(group))
        all.push_back(fmt::format("/apis/{}/{}", group, version));
    }
    if (metrics) all.emplace_back("/metrics");
    std::sort(all.begin(), all.end());
    return Value::object({{"paths", Value::array(std::vector<Value>(all.begin(), all.end()))}});
  }

  World world_;
  Settings settings_;
  Guarded<LruCache<std::string>> known_{kKnownBytes};  // users by the digest of their credentials
  // Read by the threads of the pumps.
  PrintedEvents printed_, printed_contents_;
  PackageView package_view_;
  Pump pump_;
  std::unique_ptr<Rights> rights_;
  std::unique_ptr<Namespaces> namespaces_;
  std::unique_ptr<LiveCatalog> catalog_;
  std::unique_ptr<Informer> definitions_;
  Objects objects_;
  Pump reading_pump_;  // for watches that read package content
  Objects contents_;
  Objects viewed_packages_;
  PackageList package_list_;
  PackageRevs package_revs_;
  Reviews reviews_;
  std::optional<TokenRequests> tokens_;
  std::optional<PackageRevisions> revisions_;
  std::optional<PackageResources> resources_;
  std::optional<PorticoPaths> portico_;
  OpenApiDocuments published_;
};

}  // namespace

// Writes wait for the disk, and several can share one wait; rendering packages takes processor
// time. No single user gets a whole share.
std::vector<http::Share> shares() {
  const auto share = [](std::string name, std::size_t running, std::size_t waiting,
                        std::size_t streams) {
    return http::Share{.name = std::move(name),
                       .running = running,
                       .waiting = waiting,
                       .streams = streams,
                       .running_of_one = running * 3 / 4,
                       .streams_of_one = streams / 2};
  };
  std::vector<http::Share> out(5);
  const auto at = [&](ShareOf which) -> http::Share& {
    return out[static_cast<std::size_t>(which)];
  };
  at(ShareOf::kReads) = share("reads", 16, 400, 0);
  at(ShareOf::kWrites) = share("writes", 32, 400, 0);
  at(ShareOf::kWatches) = share("watches", 4, 1'000, 20'000);
  at(ShareOf::kPackages) = share("packages", 8, 200, 1'000);
  at(ShareOf::kHealth) = share("health", 2, 100, 0);
  return out;
}

Result<std::unique_ptr<http::Handler>> make_server(World world, Settings settings) {
  registry::Registry& own = own_registry(world);
  PORTICO_DO(ensure_objects(own));
  PORTICO_TRY(auto rights, Rights::open(own, world.clock, world.authorizer));
  PORTICO_TRY(auto namespaces, Namespaces::open(own, world.clock, world.log));
  auto out = std::make_unique<Server>(std::move(world), std::move(settings), std::move(rights),
                                      std::move(namespaces));
  PORTICO_DO(out->start());
  return std::unique_ptr<http::Handler>(std::move(out));
}

}  // namespace portico::apiserver
