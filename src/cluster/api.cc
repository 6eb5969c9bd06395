#include "cluster/api.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "base/monitor.h"
#include "base/tracer.h"
#include "cluster/internal/request_measures.h"
#include "cluster/status.h"
#include "json/text.h"

namespace portico::cluster {

using json::Value;

namespace {

// For one object in a stream: more than a server accepts.
constexpr std::size_t kLongestLine = std::size_t{256} << 20;
constexpr int kMostTries = 5;  // for requests that the server rejected as overloaded
constexpr auto kCall = std::chrono::minutes(1);
constexpr auto kLongestRetryAfter = std::chrono::minutes(10);
// Longer than the interval of bookmarks in a watch, which is one minute.
constexpr auto kSilence = std::chrono::minutes(5);
constexpr const char* kGroups =
    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,"
    "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,"
    "application/json";

std::string with_query(std::string target, const http::Query& query) {
  if (const std::string text = query.text(); !text.empty()) target += "?" + text;
  return target;
}

http::Query list_query(const ListOptions& options) {
  http::Query query;
  if (!options.labels.empty()) query.add("labelSelector", options.labels);
  if (!options.fields.empty()) query.add("fieldSelector", options.fields);
  if (options.limit > 0) query.add("limit", std::to_string(options.limit));
  if (!options.next.empty()) query.add("continue", options.next);
  return query;
}

// List items lack apiVersion and kind, except from some servers.
Value with_type(const Value& item, const std::string& api_version, const std::string& kind) {
  if (item.contains("kind") && item.contains("apiVersion")) return item;
  return item.with("apiVersion", api_version).with("kind", kind);
}

// An object as it was asked for, also from a server that does not transform it.
Value as_asked(const Value& item, const Resource& resource, const ListOptions& options) {
  if (!options.metadata) return with_type(item, resource.api_version(), resource.kind.kind);
  return Value::object({{"apiVersion", resource.api_version()},
                        {"kind", resource.kind.kind},
                        {"metadata", item["metadata"]}});
}

http::Headers accepted(const ListOptions& options, std::string_view transformed) {
  if (!options.metadata) return {};
  return {{"Accept",
           fmt::format("application/json;as={};g=meta.k8s.io;v=v1,application/json", transformed)}};
}

// Only as a number: API servers send no dates.
std::optional<std::chrono::seconds> retry_after(const http::Response& response) {
  const std::string_view text = response.headers.get("Retry-After");
  int seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error != std::errc() || end != text.data() + text.size() || seconds < 0) return std::nullopt;
  return std::chrono::seconds(seconds);
}

// For a 429 response, which means that the server has not processed the request.
std::optional<std::chrono::seconds> wait_asked_for(const http::Response& response) {
  return response.status == 429 ? retry_after(response) : std::nullopt;
}

void tell(const OnRetryAfter& on_retry_after, std::optional<std::chrono::seconds> wait) {
  if (on_retry_after && wait)
    on_retry_after(
        std::clamp<std::chrono::seconds>(*wait, std::chrono::seconds(0), kLongestRetryAfter));
}

Error unreadable(const Error& why) {
  return unavailable("cannot decode the response of the server: {}", why.text());
}

}  // namespace

std::chrono::milliseconds Api::time() const { return options_.time ? options_.time() : kCall; }

Result<http::Response> Api::answer(http::Call& call, const std::string& place) {
  const auto began = std::chrono::steady_clock::now();
  const std::chrono::milliseconds most = time();
  const auto left = [&] {
    return most - std::chrono::duration_cast<std::chrono::milliseconds>(
                      std::chrono::steady_clock::now() - began);
  };
  for (int attempt = 1;; ++attempt) {
    call.time = left();
    if (call.time.count() <= 0)
      return unavailable("timed out waiting for the server").because(Reason::kTimeout);
    call.stop = options_.stop;
    const auto sent = std::chrono::steady_clock::now();
    auto response = client_->send(call);
    measure_request(options_.meter, call, response, std::chrono::steady_clock::now() - sent);
    if (!response) return std::move(response).error().in(place);
    const auto wait = wait_asked_for(*response);
    if (!wait || attempt == kMostTries || *wait >= left()) return response;
    Monitor<bool> stopped{false};
    const std::stop_callback wake(options_.stop,
                                  [&] { stopped.change([](bool& now) { now = true; }); });
    stopped.wait_until(
        std::chrono::steady_clock::now() + *wait, [](bool now) { return now; }, [](bool) {});
    if (options_.stop.stop_requested()) return response;
  }
}

Result<Value> Api::send(http::Call call, const OnRetryAfter& on_retry_after) {
  return traced(call.method, SpanKind::kClient, [&](Span& span) {
    if (span) {
      span.set("http.request.method", call.method);
      span.set("url.path", std::string_view(call.target).substr(0, call.target.find('?')));
      call.headers.set("traceparent", Span::traceparent());
    }
    return send_now(call, on_retry_after);
  });
}

Result<Value> Api::send_now(http::Call& call, const OnRetryAfter& on_retry_after) {
  const std::string place = call.method + " " + call.target.substr(0, call.target.find('?'));
  if (!call.headers.has("Accept")) call.headers.set("Accept", "application/json");
  if (!call.body.empty() && !call.headers.has("Content-Type"))
    call.headers.set("Content-Type", "application/json");
  PORTICO_TRY(const http::Response response, answer(call, place));
  if (response.status >= 400) {
    tell(on_retry_after, retry_after(response));
    return error_of(response.status, response.body);
  }
  if (response.status < 200 || response.status >= 300)
    return unavailable("the server responded with status {}", response.status).in(place);
  if (response.body.empty()) return Value();
  auto parsed = json::parse(response.body, {.bytes = kLongestLine});
  if (!parsed) return unreadable(parsed.error()).in(place);
  return parsed;
}

Result<Value> Api::call(std::string method, std::string target, const Value& body,
                        http::Headers headers) {
  http::Call call;
  call.method = std::move(method);
  call.target = std::move(target);
  call.headers = std::move(headers);
  if (!body.is_null()) call.body = json::print(body);
  return send(std::move(call));
}

Result<Done> Api::lines(std::string method, std::string target, const Value& body,
                        const std::stop_token& stop,
                        const std::function<bool(const Value& line)>& take,
                        const OnRetryAfter& on_retry_after, http::Headers headers) {
  http::Call call;
  call.headers = std::move(headers);
  call.method = std::move(method);
  call.target = std::move(target);
  call.time = std::chrono::milliseconds(0);
  call.first = time();
  call.silence = kSilence;
  call.anew = true;
  call.stop = stop;
  if (!call.headers.has("Accept")) call.headers.set("Accept", "application/json");
  if (!body.is_null()) {
    call.body = json::print(body);
    call.headers.set("Content-Type", "application/json");
  }
  const std::string place = call.method + " " + call.target.substr(0, call.target.find('?'));
  std::optional<Error> broken;
  bool ended = false;
  http::Lines lines(kLongestLine, [&](std::string_view line) {
    if (line.empty()) return true;
    const auto parsed = json::parse(line, {.bytes = kLongestLine});
    if (!parsed) {
      broken = unreadable(parsed.error()).in(place);
      return false;
    }
    if (take(*parsed)) return true;
    ended = true;
    return false;
  });
  bool begun = false;  // only a successful response has pieces
  const auto response = client_->stream(call, [&](std::string_view piece) {
    if (!std::exchange(begun, true))
      measure_request(options_.meter, call, http::Response{}, std::nullopt);
    return lines.add(piece);
  });
  if (!begun && !stop.stop_requested())
    measure_request(options_.meter, call, response, std::nullopt);
  if (broken) return *broken;
  if (ended || stop.stop_requested()) return Done{};
  if (!response) return Error(response.error()).in(place);
  if (response->status >= 400) {
    tell(on_retry_after, retry_after(*response));
    return error_of(response->status, response->body);
  }
  if (!lines.finish() && broken) return *broken;
  return Done{};
}

Result<std::shared_ptr<const Discovery>> Api::discover() {
  auto out = std::make_shared<Discovery>();
  for (const char* root : {"/api", "/apis"}) {
    PORTICO_TRY(const Value document, call("GET", root, Value(), {{"Accept", kGroups}}));
    if (document["kind"].as_string() == "APIGroupDiscoveryList") {
      PORTICO_DO(out->add_groups(document));
      continue;
    }
    // The server does not support aggregated discovery: request each version separately.
    std::vector<std::string> paths;
    for (const Value& version : document["versions"].items())
      paths.push_back(fmt::format("/api/{}", version.as_string()));
    for (const Value& group : document["groups"].items()) {
      const std::string_view preferred = group["preferredVersion"]["groupVersion"].as_string();
      if (!preferred.empty()) paths.push_back(fmt::format("/apis/{}", preferred));
      for (const Value& version : group["versions"].items())
        if (version["groupVersion"].as_string() != preferred)
          paths.push_back(fmt::format("/apis/{}", version["groupVersion"].as_string()));
    }
    for (const std::string& path : paths) {
      const auto list = call("GET", path, Value());
      // A group whose server is unavailable is skipped, so that the others still count.
      if (!list &&
          (list.error().code == Code::kUnavailable || list.error().code == Code::kNotFound))
        continue;
      if (!list) return list.error();
      PORTICO_DO(out->add_resources(*list), path);
    }
  }
  return std::shared_ptr<const Discovery>(std::move(out));
}

Result<std::shared_ptr<const Discovery>> Api::discovery() {
  if (auto known = discovery_.with([](const auto& one) { return one; })) return known;
  PORTICO_TRY(auto fresh, discover());
  discovery_.with([&](auto& one) { one = fresh; });
  return fresh;
}

void Api::forget() {
  discovery_.with([](auto& one) { one.reset(); });
}

Result<Resource> Api::resource(const krm::GroupKind& kind, std::string_view version) {
  for (int attempt = 0; attempt < 2; ++attempt) {
    PORTICO_TRY(const auto known, discovery());
    if (const Resource* found = known->find(kind, version)) return *found;
    forget();
  }
  return not_found("no matches for kind {}{}{}; ensure CRDs are installed first", kind.kind,
                   kind.group.empty() ? "" : ".", kind.group);
}

Result<Value> Api::get(const Resource& resource, std::string_view ns, std::string_view name) {
  return call("GET", resource.path(ns, name), Value());
}

Result<Page> Api::list(const Resource& resource, const ListOptions& options) {
  http::Query query = list_query(options);
  if (!options.version.empty()) {
    query.add("resourceVersion", options.version);
    query.add("resourceVersionMatch", "Exact");
  }
  http::Call request;
  request.headers = accepted(options, "PartialObjectMetadataList");
  request.target = with_query(resource.path(options.ns, ""), query);
  PORTICO_TRY(const Value document, send(std::move(request), options.on_retry_after));
  Page out;
  out.version = document["metadata"]["resourceVersion"].as_string();
  out.next = document["metadata"]["continue"].as_string();
  if (const Value* remaining = document["metadata"].find("remainingItemCount"))
    out.remaining = static_cast<std::size_t>(remaining->as_uint());
  for (const Value& item : document["items"].items())
    out.items.push_back(as_asked(item, resource, options));
  return out;
}

std::string Api::write_query(const WriteOptions& options) const {
  http::Query query;
  query.add("fieldManager", options_.field_manager);
  if (options.dry_run) query.add("dryRun", "All");
  return "?" + query.text();
}

Result<Value> Api::create(const Resource& resource, const Value& object,
                          const WriteOptions& options) {
  return call("POST", resource.path(krm::namespace_of(object), "") + write_query(options), object);
}

Result<Value> Api::update(const Resource& resource, const Value& object,
                          std::string_view subresource, const WriteOptions& options) {
  return call("PUT",
              resource.path(krm::namespace_of(object), krm::name_of(object), subresource) +
                  write_query(options),
              object);
}

Result<Value> Api::patch(const Resource& resource, std::string_view ns, std::string_view name,
                         std::string_view type, const Value& patch, const WriteOptions& options) {
  return call("PATCH", resource.path(ns, name) + write_query(options), patch,
              {{"Content-Type", std::string(type)}});
}

Result<Value> Api::remove(const Resource& resource, std::string_view ns, std::string_view name,
                          const Value& options) {
  const Value body =
      options.is_null() ? options : options.with("apiVersion", "v1").with("kind", "DeleteOptions");
  return call("DELETE", resource.path(ns, name), body);
}

Result<Done> Api::watch(const Resource& resource, const ListOptions& options,
                        const std::stop_token& stop,
                        const std::function<bool(const WatchEvent& event)>& take) {
  http::Query query = list_query(options);
  query.add("watch", "true");
  query.add("allowWatchBookmarks", "true");
  if (!options.version.empty()) query.add("resourceVersion", options.version);
  if (options.timeout.count() > 0)
    query.add("timeoutSeconds", std::to_string(options.timeout.count()));
  if (options.initial_events) {
    query.add("sendInitialEvents", "true");
    query.add("resourceVersionMatch", "NotOlderThan");
  }
  std::optional<Error> refused;
  const auto on_line = [&](const Value& line) {
    const std::string_view type = line["type"].as_string();
    WatchEvent event;
    if (type == "ERROR") {
      const Value& status = line["object"];
      refused = error_of_status(status);
      if (const Value* const wait = status["details"].find("retryAfterSeconds"))
        tell(options.on_retry_after, std::chrono::seconds(wait->as_int()));
      return false;
    }
    if (type == "MODIFIED") event.type = WatchEvent::Type::kModified;
    if (type == "DELETED") event.type = WatchEvent::Type::kDeleted;
    if (type == "BOOKMARK") event.type = WatchEvent::Type::kBookmark;
    event.object = as_asked(line["object"], resource, options);
    return take(event);
  };
  auto done = lines("GET", with_query(resource.path(options.ns, ""), query), Value(), stop, on_line,
                    options.on_retry_after, accepted(options, "PartialObjectMetadata"));
  if (refused) return *refused;
  return done;
}

}  // namespace portico::cluster
