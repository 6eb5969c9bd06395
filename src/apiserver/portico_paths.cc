#include "apiserver/portico_paths.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <iterator>

#include "api/kinds.h"
#include "apiserver/action_log.h"
#include "apiserver/namespace_check.h"
#include "apiserver/package_contents.h"
#include "base/alternate_stack.h"
#include "drafts/wire.h"
#include "http/escape.h"
#include "json/text.h"
#include "krm/package_json.h"
#include "kubeapi/resource_type.h"
#include "packages/names.h"
#include "packages/wire.h"

namespace portico::apiserver {

using json::Value;
using kubeapi::StatusOr;

namespace {

constexpr std::size_t kMostChanges = 10'000;  // most changes returned from a history
constexpr std::size_t kMostBody = std::size_t{64} << 20;

http::Response json_response(int status, const Value& body) {
  http::Response out;
  out.status = status;
  out.headers.set("Content-Type", "application/json");
  out.body = json::print(body) + "\n";
  return out;
}

StatusOr<std::size_t> number_of(std::string_view text, std::size_t most) {
  if (text.empty()) return most;
  std::size_t out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (error != std::errc() || end != text.data() + text.size())
    return kubeapi::bad_request(fmt::format("limit: {:?} is not a number", text));
  return std::min(out, most);
}

// Only the fields that an API client may set on a new object.
Value client_object(const Value& object) {
  if (object.is_null()) return object;
  Value metadata = Value::object();
  for (const char* field : {"labels", "annotations", "ownerReferences"})
    if (const Value* found = object["metadata"].find(field))
      metadata = metadata.with(field, *found);
  return Value::object({{"metadata", std::move(metadata)},
                        {"spec", Value::object({{"tasks", object["spec"]["tasks"]}})}});
}

Value named_revision(const Value& object, const std::string& ns) {
  return object.with("apiVersion", api::kPorchV1Alpha1)
      .with("kind", api::kRevisionKind)
      .with_at({"metadata", "namespace"}, ns);
}

kubeapi::Named revision_type() {
  return {std::string(api::kPorchGroup), "packagerevisions", std::string(api::kRevisionKind)};
}

}  // namespace

struct PorticoPaths::Asked {
  const Call& call;
  std::vector<std::string> parts;  // after the version
  std::string ns = {};             // from namespaces/NS/...

  bool is(std::string_view method, std::size_t size) const {
    return call.request.method == method && parts.size() == size;
  }
  StatusOr<Value> body() const {
    auto parsed = json::parse(call.request.body, {.bytes = kMostBody});
    if (!parsed)
      return kubeapi::bad_request(
          fmt::format("the body is not valid JSON: {}", parsed.error().text()));
    return *std::move(parsed);
  }
};

// Runs work whose progress lines go to a stream. The last line is either {"result": ...} or
// {"error": Status}.
struct PorticoPaths::Running {
  std::atomic<bool> over = false;
  std::jthread thread;  // last
};

StatusOr<Done> PorticoPaths::may(const Asked& asked, std::string verb, std::string_view group,
                                 const std::string& resource, std::string ns,
                                 std::string name) const {
  const std::size_t slash = resource.find('/');
  access::Request wanted{.verb = std::move(verb),
                         .group = std::string(group),
                         .version = "v1alpha1",
                         .resource = resource.substr(0, slash),
                         .name = std::move(name),
                         .ns = std::move(ns)};
  if (slash != std::string::npos) wanted.subresource = resource.substr(slash + 1);
  return rights_.allow(asked.call.user, wanted);
}

bool PorticoPaths::is_resource(std::string_view name) {
  constexpr std::string_view kNames[] = {"builds",
                                         "buildsteps",
                                         "contents",
                                         "drafts",
                                         "dump",
                                         "packagerevisions/content",
                                         "packagerevisions/history",
                                         "packagerevisions/log",
                                         "packagerevisions/pristine",
                                         "rehearsals",
                                         "rehearsals/proxy",
                                         "repositories/check",
                                         "repositories/forget",
                                         "repositories/sync",
                                         "settled",
                                         "settled/proxy"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

StatusOr<http::Answer> PorticoPaths::answer(const Call& call) {
  PORTICO_TRY(std::vector<std::string> parts, http::path_segments(call.request.path()));
  const std::ptrdiff_t base = !parts.empty() && parts[0] == "apis" ? 3 : 2;
  if (std::ssize(parts) <= base) return kubeapi::no_such_path();
  parts.erase(parts.begin(), parts.begin() + base);
  Asked asked{.call = call, .parts = std::move(parts)};
  if (asked.parts[0] == "dump" && asked.is("GET", 1)) {
    PORTICO_TRY(const Value body, dump(asked));
    return http::Answer(json_response(200, body));
  }
  if (asked.parts[0] != "namespaces" || asked.parts.size() < 3) return kubeapi::no_such_path();
  asked.ns = asked.parts[1];
  if (asked.ns.empty()) return kubeapi::no_such_path();
  asked.parts.erase(asked.parts.begin(), asked.parts.begin() + 2);
  // A kube-apiserver in front cuts off requests after a minute, except watches, logs and proxies.
  const bool patient = asked.is("POST", 3) && asked.parts[2] == "proxy";
  const bool streams = patient || asked.is("POST", 1);
  if (asked.parts[0] == "rehearsals" && streams) return rehearse(asked);
  if (asked.parts[0] == "settled" && streams) return settle(asked);
  PORTICO_TRY(const Value body, in_namespace(asked));
  return http::Answer(json_response(200, body));
}

// The dump names objects of all namespaces, so it requires the right to get this path.
StatusOr<Value> PorticoPaths::dump(const Asked& asked) {
  PORTICO_DO(rights_.allow(asked.call.user,
                           {.verb = "get", .is_resource = false, .path = "/portico/v1/dump"}));
  if (operations_ == nullptr) return kubeapi::no_such_path();
  PORTICO_TRY(const std::string text, operations_->dump());
  return Value::object({{"text", text}});
}

StatusOr<Value> PorticoPaths::in_namespace(const Asked& asked) {
  const std::string& what = asked.parts[0];
  if (what == "packagerevisions" && asked.is("GET", 3)) return of_revision(asked);
  if (what == "contents" && asked.is("GET", 1)) return content_at(asked);
  if (what == "repositories" && asked.is("POST", 3)) return of_repository(asked);
  if ((what == "drafts" || what == "builds" || what == "buildsteps") && asked.is("POST", 1))
    return draft(asked);
  return kubeapi::no_such_path();
}

StatusOr<Value> PorticoPaths::of_revision(const Asked& asked) {
  const std::string &name = asked.parts[1], &what = asked.parts[2];
  const bool content = what == "content";
  PORTICO_DO(may(asked, "get", api::kPorchGroup,
                 content ? "packagerevisionresources" : "packagerevisions", asked.ns, name));
  const auto found = world_.registry.get(packages::revision_key(asked.ns, name));
  if (!found) return kubeapi::status_error_of(found.error(), revision_type(), name);
  if (content) {
    PathGlobs globs;
    for (const std::string_view glob : asked.call.query.all("path")) globs.emplace_back(glob);
    PORTICO_TRY(const auto package,
                globs.empty() ? world_.packages.read(*found)
                              : world_.packages.read_some(*found, [&](const std::string& path) {
                                  return is_wanted(globs, path);
                                }));
    return krm::package_to_json(*package);
  }
  if (what == "pristine") {
    PORTICO_TRY(const auto pristine, world_.packages.pristine_of(*found));
    return packages::to_json(pristine);
  }
  PORTICO_TRY(const std::size_t most, number_of(asked.call.query.get("limit"), kMostChanges));
  if (what == "history") {
    PORTICO_TRY(const auto changes, world_.packages.history(*found, most));
    return packages::to_json(changes);
  }
  if (what == "log") {
    PORTICO_TRY(const auto changes, world_.packages.log(*found, most));
    return packages::to_json(changes);
  }
  return kubeapi::no_such_path();
}

StatusOr<Value> PorticoPaths::content_at(const Asked& asked) {
  PORTICO_DO(may(asked, "get", api::kPorchGroup, "packagerevisionresources", asked.ns));
  const auto text = [&](const char* name) { return std::string(asked.call.query.get(name)); };
  PORTICO_TRY(const auto package, world_.packages.read_at(asked.ns, text("repository"),
                                                          text("package"), text("commit")));
  return krm::package_to_json(*package);
}

// Checks a Repository that the sender may create and whose address and Secret they may have the
// server use.
StatusOr<Value> PorticoPaths::check_repository(const Asked& asked) {
  PORTICO_DO(may(asked, "create", api::kConfigGroup, "repositories", asked.ns));
  PORTICO_TRY(const Value body, asked.body());
  const kubeapi::Named type{std::string(api::kConfigGroup), "repositories",
                            std::string(api::kRepositoryKind)};
  const Value repository = body["repository"]
                               .with("apiVersion", api::kConfigV1Alpha1)
                               .with("kind", api::kRepositoryKind)
                               .with_at({"metadata", "name"}, asked.parts[1])
                               .with_at({"metadata", "namespace"}, asked.ns);
  PORTICO_DO(rights_.may_say(asked.call.user, type, Value(), repository));
  PORTICO_DO(world_.packages.check(repository, body["secret"]));
  return Value::object();
}

StatusOr<Value> PorticoPaths::of_repository(const Asked& asked) {
  const std::string &name = asked.parts[1], &what = asked.parts[2];
  if (what == "check") return check_repository(asked);
  if (what == "sync") {
    PORTICO_DO(may(asked, "update", api::kConfigGroup, "repositories", asked.ns, name));
    PORTICO_TRY(const Value repository,
                world_.registry.get({api::repository_kind(), asked.ns, name}));
    PORTICO_TRY(const packages::Synced synced, world_.packages.sync(repository));
    return packages::to_json(synced);
  }
  if (what != "forget") return kubeapi::no_such_path();
  PORTICO_DO(may(asked, "delete", api::kConfigGroup, "repositories", asked.ns, name));
  const auto found = world_.registry.get({api::repository_kind(), asked.ns, name});
  if (found)
    return kubeapi::bad_request(
        fmt::format("repository {:?} is still registered: delete the Repository first", name));
  if (found.error().code != Code::kNotFound) return found.error();
  PORTICO_DO(world_.packages.forget(asked.ns, name));
  return Value::object();
}

// The commit names a variant and a set: the user must have the right to update them.
StatusOr<Done> PorticoPaths::may_speak_for(const Asked& asked,
                                           const drafts::DraftRequest& request) const {
  for (const auto& [said, resource] : {std::pair{&request.variant, "packagevariants"},
                                       std::pair{&request.variant_set, "packagevariantsets"}}) {
    if (said->empty()) continue;
    const std::size_t slash = said->find('/');
    const std::string ns = said->substr(0, slash);
    if (slash == std::string::npos || ns != asked.ns)
      return kubeapi::bad_request(fmt::format("{:?} is not of the form {}/NAME", *said, asked.ns));
    PORTICO_DO(may(asked, "update", api::kConfigGroup, resource, ns, said->substr(slash + 1)));
  }
  return Done{};
}

StatusOr<Value> PorticoPaths::draft(const Asked& asked) {
  PORTICO_TRY(const Value body, asked.body());
  PORTICO_TRY(drafts::DraftRequest request, drafts::request_from_json(body));
  request.ns = asked.ns;
  request.object = client_object(request.object);
  Value stored;  // its demands have been checked before
  if (!request.draft.empty())
    if (auto found = world_.registry.get({api::revision_kind(), asked.ns, request.draft}))
      stored = *std::move(found);
  PORTICO_DO(rights_.may_say(
      asked.call.user, revision_type(), stored,
      request.object.is_null() ? Value() : named_revision(request.object, asked.ns)));
  request.actor = actor_of(asked.call);
  PORTICO_DO(may(asked, "get", api::kPorchGroup, "packagerevisionresources", asked.ns));
  const std::string& what = asked.parts[0];
  if (what == "drafts" && request.draft.empty()) {
    PORTICO_DO(may(asked, "create", api::kPorchGroup, "packagerevisions", asked.ns));
    PORTICO_DO(check_takes_objects(
        world_.registry, asked.ns, revision_type(),
        packages::object_name(request.repository, request.package, request.workspace)));
  }
  if (what == "drafts") PORTICO_DO(may_speak_for(asked, request));
  if (what == "drafts" && !request.draft.empty())
    PORTICO_DO(may(asked, "update", api::kPorchGroup, "packagerevisionresources", asked.ns,
                   request.draft));
  // The files come from the caller, as in an update.
  if (what == "drafts" && std::holds_alternative<drafts::ReplaceSource>(request.source))
    PORTICO_DO(may(asked, "update", api::kPorchGroup, "packagerevisionresources", asked.ns));
  if (request.mutations) {
    PORTICO_DO(may(asked, "get", api::kConfigGroup, "packagevariants", asked.ns,
                   request.mutations->variant));
    if (operations_ == nullptr) return kubeapi::no_such_path();
    PORTICO_TRY(request, operations_->with_inputs(std::move(request)));
  }
  if (what == "builds") {
    PORTICO_TRY(const drafts::Built built, world_.drafts.build(request));
    return drafts::to_json(built);
  }
  if (what == "buildsteps") {
    PORTICO_TRY(const auto steps,
                world_.drafts.build_steps(request, std::string(asked.call.query.get("upstream"))));
    return drafts::to_json(steps);
  }
  PORTICO_TRY(const drafts::Drafted drafted, world_.drafts.draft(request));
  if (drafted.removed)
    log_action(world_.log, asked.call, "dropped", packages::revision_key(asked.ns, request.draft));
  else if (!drafted.object.is_null())
    log_action(world_.log, asked.call, request.draft.empty() ? "drafted" : "changed",
               packages::revision_key(asked.ns, std::string(krm::name_of(drafted.object))));
  return drafts::to_json(drafted);
}

// The namespaces whose packages the user may read: a plan reports only on these. Null: all.
StatusOr<Value> PorticoPaths::readable_namespaces(const Asked& asked, const std::string& ns) const {
  if (may(asked, "list", api::kPorchGroup, "packagerevisionresources", "")) return Value();
  PORTICO_DO(may(asked, "list", api::kPorchGroup, "packagerevisionresources", ns));
  return Value::array({Value(ns)});
}

StatusOr<http::Answer> PorticoPaths::settle(const Asked& asked) {
  PORTICO_DO(may(asked, "list", api::kConfigGroup, "packagevariants", asked.ns));
  if (operations_ == nullptr) return kubeapi::no_such_path();
  PORTICO_TRY(Value body, asked.body());
  PORTICO_TRY(const Value readable, readable_namespaces(asked, asked.ns));
  // A user who may not sync a repository waits only for what the controllers do on their own.
  const bool look = bool(may(asked, "update", api::kConfigGroup, "repositories", asked.ns));
  body = body.with("namespace", asked.ns).with("readable", readable).with("look", look);
  return stream([operations = operations_, body](const Operations::Report& report,
                                                 const std::stop_token& stop) {
    return operations->settle(body, report, stop);
  });
}

namespace {

// A server of one group still gets changes of other groups' objects.
kubeapi::Catalog::Type type_of(const kubeapi::Catalog& served, const krm::GroupKind& kind) {
  static const kubeapi::Catalog kBuiltin = kubeapi::builtin_catalog();
  const auto type = served.find(kind);
  return type != nullptr ? type : kBuiltin.find(kind);
}

}  // namespace

StatusOr<http::Answer> PorticoPaths::rehearse(const Asked& asked) {
  if (operations_ == nullptr) return kubeapi::no_such_path();
  PORTICO_TRY(Value body, asked.body());
  PORTICO_TRY(const Value readable, readable_namespaces(asked, asked.ns));
  // Users may learn only the effects of changes that they may make.
  const auto may_write = [&](const Value& object, const char* verb) -> StatusOr<Done> {
    const krm::ObjectKey key = krm::object_key(object);
    const auto type = type_of(*asked.call.catalog, key.type);
    if (type == nullptr)
      return kubeapi::bad_request(
          fmt::format("no matches for kind {:?}", object["kind"].as_string()));
    return may(asked, verb, key.type.group, type->names.plural, type->namespaced ? key.ns : "",
               verb == std::string_view("create") ? "" : key.name);
  };
  for (const Value& each : body["apply"].items()) {
    // The result shows the stored object, merged with the one that was sent.
    PORTICO_DO(may_write(each["object"], "get"));
    PORTICO_DO(may_write(each["object"], "create"));
    PORTICO_DO(may_write(each["object"], "update"));
    // A rehearsal reads what the objects name, as the real change would.
    const auto stored = world_.registry.get(krm::object_key(each["object"]));
    PORTICO_DO(rights_.may_say(asked.call.user,
                               type_of(*asked.call.catalog, krm::group_kind(each["object"]))->names,
                               stored ? *stored : Value(), each["object"]));
  }
  for (const Value& each : body["delete"].items()) PORTICO_DO(may_write(each, "delete"));
  if (body.contains("upstream"))
    for (const char* resource : {"packagevariants", "packagevariantsets"})
      PORTICO_DO(may(asked, "update", api::kConfigGroup, resource, asked.ns));
  for (const Value& each : body["labels"].items()) PORTICO_DO(may_write(each["object"], "update"));
  body = body.with("namespace", asked.ns).with("readable", readable);
  return stream([operations = operations_, body](const Operations::Report& report,
                                                 const std::stop_token& stop) {
    return operations->rehearse(body, report, stop);
  });
}

http::Answer PorticoPaths::stream(Work work) {
  http::Streaming out;
  out.head.headers.set("Content-Type", "application/json");
  out.start = [this, work = std::move(work)](std::shared_ptr<http::Stream> stream) {
    auto running = std::make_shared<Running>();
    const auto report = [stream](const Value& line) {
      stream->write(std::make_shared<const std::string>(json::print(line) + "\n"));
    };
    // Kept here until it has ended and another request removes it.
    running_.with([&](auto& all) {
      std::erase_if(all, [](const auto& one) { return one->over.load(); });
      running->thread =
          std::jthread([work, report, stream, over = &running->over](const std::stop_token& stop) {
            prepare_alternate_stack();
            const auto result = work(report, stop);
            report(result ? Value::object({{"result", *result}})
                          : Value::object({{"error", kubeapi::to_status(kubeapi::status_error_of(
                                                         result.error()))}}));
            stream->end();
            *over = true;
          });
      all.push_back(running);
    });
    stream->on_close([weak = std::weak_ptr<Running>(running)] {
      if (const auto one = weak.lock()) one->thread.request_stop();
    });
  };
  return out;
}

}  // namespace portico::apiserver
