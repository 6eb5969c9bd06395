#include "apiserver/objects.h"

#include "apiserver/internal/core_rules.h"
#include "apiserver/internal/query.h"
#include "apiserver/preconditions.h"
#include "apiserver/strategy.h"
#include "apiserver/watching.h"
#include "kubeapi/answers.h"
#include "kubeapi/options.h"
#include "kubeapi/selector.h"

namespace portico::apiserver {

using json::Value;
using kubeapi::StatusOr;

namespace {

// Whether a field selector names another namespace than the path: nothing matches.
bool contradicts(const Call& call, const kubeapi::Filter& filter) {
  return !filter.ns().empty() && !call.info.ns.empty() && filter.ns() != call.info.ns;
}

kubeapi::StatusError too_large_version(std::uint64_t wanted, std::uint64_t current) {
  kubeapi::StatusError out{
      504, "Timeout",
      fmt::format("Timeout: Too large resource version: {}, current: {}", wanted, current),
      kubeapi::Details{}};
  out.details->causes.push_back({"ResourceVersionTooLarge", "Too large resource version", ""});
  out.details->retry_after_seconds = 1;
  return out;
}

kubeapi::StatusError expired_list(const kubeapi::ListOptions& options) {
  if (options.continue_token.empty())
    return kubeapi::expired("The resourceVersion for the provided list is too old.");
  return kubeapi::expired(
      "The provided continue parameter is too old to display a consistent list result. You can "
      "start a new list without the continue parameter.");
}

// Everything in which the events of two watches may differ.
std::string form_of_events(const Call& call) {
  return fmt::format("{} {} {} {} {} {} {}", call.named().group, call.info.version,
                     call.named().plural, static_cast<int>(call.form.shape), call.form.version,
                     call.type->has_generation(), call.named().kind);
}

Outcome made(int status, Value body) { return Made{status, std::move(body)}; }

}  // namespace

StatusOr<Outcome> Objects::serve(Call& call) {
  const std::string& verb = call.info.verb;
  const bool has_name = !call.info.name.empty();
  if (!call.info.rest.empty()) return kubeapi::no_such_path();
  if (call.request.method == "HEAD") return kubeapi::no_such_method();
  if (!call.type->can(verb)) return kubeapi::no_such_method();
  if (const std::string& sub = call.info.subresource; !sub.empty()) {
    if (sub == "scale" && call.version->scale) return scale(call);
    if (sub == "finalize" && is_namespace(call))
      return verb == "update" ? update(call) : kubeapi::no_such_method();
    if (sub != "status" || !call.version->has_status)
      return call.type->origin == kubeapi::Origin::kDefinition
                 ? kubeapi::not_found(call.named(), call.info.name)
                 : kubeapi::no_such_path();
    if (verb == "get") return get(call);
    if (verb == "update") return update(call);
    if (verb == "patch") return patch(call);
    return kubeapi::not_supported(call.named(), verb);
  }
  if (call.type->namespaced && call.info.ns.empty()) {
    if (has_name && verb != "list" && verb != "watch") return kubeapi::no_such_path();
    if (verb == "create" || verb == "deletecollection") return kubeapi::no_such_method();
  }
  if (!call.type->namespaced && !call.info.ns.empty() && call.named().plural != "namespaces")
    return kubeapi::no_such_path();
  if (verb == "get") return get(call);
  if (verb == "list") return list(call);
  if (verb == "watch") return watch(call);
  if (verb == "create" && !has_name) return create(call);
  if (verb == "update" && has_name) return update(call);
  if (verb == "patch" && has_name) return patch(call);
  if (verb == "delete") return remove(call);
  if (verb == "deletecollection") return remove_all(call);
  return kubeapi::no_such_method();
}

StatusOr<Value> Objects::stored(const Call& call) const {
  auto found = world_.registry.get(key_of(call));
  if (found) return *std::move(found);
  return kubeapi::status_error_of(found.error(), call.named(), call.info.name);
}

StatusOr<Done> Objects::await(registry::ResourceVersion version) const {
  using Time = std::chrono::steady_clock;
  const registry::ResourceVersion now = world_.registry.version();
  if (now >= version) return Done{};
  const auto until = Time::now() + world_.patience;
  const auto watch = world_.registry.watch(registry::Query{}, now);
  while (world_.registry.version() < version) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Time::now());
    if (left.count() <= 0) return too_large_version(version, world_.registry.version());
    PORTICO_DO(watch->next(left));
  }
  return Done{};
}

StatusOr<Outcome> Objects::get(Call& call) {
  if (const std::string_view version = call.query.get("resourceVersion"); !version.empty()) {
    PORTICO_TRY(const auto options, kubeapi::list_options(call.query, true));
    if (options.version) PORTICO_DO(await(*options.version));
  }
  if (kubeapi::is_true(call.query, "export"))
    return kubeapi::bad_request(
        "the export parameter, deprecated since v1.14, is no longer supported");
  PORTICO_TRY(const Value object, stored(call));
  PORTICO_TRY(const auto include, kubeapi::include_object(call.query.get("includeObject")));
  PORTICO_TRY(const Value seen, shown(call, object));
  PORTICO_TRY(Value answer, kubeapi::object_answer(seen, *call.type, *call.version, call.form,
                                                   include, call.now));
  return made(200, std::move(answer));
}

StatusOr<Objects::Page> Objects::read_page(const Call& call, const kubeapi::ListOptions& options,
                                           const kubeapi::Filter& filter) const {
  registry::Query query = query_of(call, filter);
  query.continue_from = options.continue_token;
  if (options.match == kubeapi::VersionMatch::kExact) query.version = options.version;
  if (options.version) PORTICO_DO(await(*options.version));
  // resourceVersion 0 ("any version") is answered with the whole list, like from Kubernetes' cache.
  const bool whole = options.version && *options.version == 0;
  const std::size_t limit = whole ? 0 : options.limit;

  Page out;
  for (;;) {
    query.limit = limit == 0 ? 0 : limit - out.objects.size();
    auto page = world_.registry.list(query);
    if (!page && page.error().reason == Reason::kExpired) return expired_list(options);
    if (!page && page.error().code == Code::kInvalid && !options.continue_token.empty())
      return kubeapi::bad_request("continue key is not valid: " + page.error().text());
    if (!page) return kubeapi::status_error_of(page.error());
    out.meta.version = std::to_string(page->version);
    if (!contradicts(call, filter))
      for (const Value& object : page->objects)
        if (filter.matches_rest(object)) out.objects.push_back(object);
    out.meta.continue_token = page->next;
    if (filter.empty()) out.meta.remaining = page->remaining;
    if (page->next.empty() || out.objects.size() >= limit) return out;
    query.continue_from = page->next;
  }
}

StatusOr<Outcome> Objects::list(Call& call) {
  PORTICO_TRY(const auto options, kubeapi::list_options(call.query, false));
  PORTICO_TRY(const auto filter,
              kubeapi::Filter::parse(options.labels, options.fields, *call.type, *call.version));
  PORTICO_TRY(const auto include, kubeapi::include_object(call.query.get("includeObject")));
  PORTICO_TRY(Page page, read_page(call, options, filter));
  for (Value& object : page.objects) {
    PORTICO_TRY(object, shown(call, object));
  }
  PORTICO_TRY(Value answer, kubeapi::list_answer(page.objects, page.meta, *call.type, *call.version,
                                                 call.form, include, call.now));
  return made(200, std::move(answer));
}

StatusOr<Outcome> Objects::watch(Call& call) {
  PORTICO_TRY(const auto options, kubeapi::list_options(call.query, true));
  PORTICO_TRY(const auto filter,
              kubeapi::Filter::parse(options.labels, options.fields, *call.type, *call.version));
  PORTICO_TRY(const auto include, kubeapi::include_object(call.query.get("includeObject")));
  WatchRequest wanted;
  WatchScope& sight = wanted.sight;
  sight.query = query_of(call, filter);
  if (contradicts(call, filter)) sight.query.name = "/";  // a name that no object has
  sight.filter = filter;
  if (options.version && *options.version > 0) wanted.from = options.version;
  wanted.initial_events = options.initial_events;
  wanted.bookmarks = options.bookmarks;
  wanted.timeout = std::chrono::seconds(options.timeout_seconds.value_or(0));
  if (wanted.initial_events && options.version)
    if (auto there = await(*options.version); !there) wanted.refusal = std::move(there).error();
  if (wanted.timeout.count() <= 0) wanted.timeout = std::chrono::minutes(40);
  // The stream outlives the call: copy what the shapes need.
  struct Look {
    kubeapi::Catalog::Type type;
    const kubeapi::Version* version;
    std::string version_name, now;
    kubeapi::Form form;
    kubeapi::IncludeObject include;
    std::shared_ptr<const View> view;
  };
  auto look = std::make_shared<const Look>(
      Look{call.type, call.version, call.info.version, call.now, call.form, include, call.view});
  // A table sends its column definitions once. Events are shaped sequentially.
  auto headed = std::make_shared<bool>(false);
  const auto shaped = [look, headed](const Value& object) {
    auto answer = kubeapi::object_answer(object, *look->type, *look->version, look->form,
                                         look->include, look->now);
    Value out = answer ? *std::move(answer) : object;
    if (look->form.shape != kubeapi::Shape::kTable) return out;
    if (*headed) out = out.with("columnDefinitions", Value());
    *headed = true;
    return out;
  };
  sight.shape = [look, shaped](const Value& object) -> StatusOr<Value> {
    PORTICO_TRY(const Value seen, shown(*look->type, look->version_name,
                                        look->view ? look->view->show(object) : object));
    return shaped(seen);
  };
  // Not shared: tables contain ages, and a view may show only parts of an object.
  if (call.form.shape != kubeapi::Shape::kTable && call.view == nullptr) {
    sight.form = form_of_events(call);
    sight.words = {sight.form, sight.query.ns, sight.query.name, options.labels, options.fields};
  }
  sight.bookmark = [look, shaped](registry::ResourceVersion version, bool initial_end) {
    Value object =
        Value::object({{"kind", look->type->names.kind},
                       {"apiVersion", kubeapi::api_version(*look->type, look->version_name)}});
    object = object.with_at({"metadata", "resourceVersion"}, std::to_string(version));
    if (initial_end)
      object = object.with_at({"metadata", "annotations", "k8s.io/initial-events-end"}, "true");
    return shaped(object);
  };
  http::Response head;
  head.headers.set("Content-Type", "application/json");
  return Outcome(apiserver::watch({world_.registry, world_.pump, world_.printed, channels_},
                                  std::move(wanted), std::move(head)));
}

StatusOr<Outcome> Objects::answer(Call& call, int status, const Value& object) {
  PORTICO_TRY(const Value seen, shown(call, object));
  PORTICO_TRY(Value shape, kubeapi::object_answer(seen, *call.type, *call.version, call.form,
                                                  kubeapi::IncludeObject::kMetadata, call.now));
  return made(status, std::move(shape));
}

}  // namespace portico::apiserver
