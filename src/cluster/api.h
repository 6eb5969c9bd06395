// A client of a Kubernetes API: discovery, the verbs, and watches as streams of events.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/guarded.h"
#include "base/meter.h"
#include "base/result.h"
#include "cluster/discovery.h"
#include "http/client.h"
#include "http/escape.h"
#include "json/value.h"
#include "krm/meta.h"

namespace portico::cluster {

struct ApiOptions {
  std::string field_manager = "portico";
  /// The time limit for a call that starts now; empty: one minute. Of a watch, only the response
  /// has to begin within it.
  std::function<std::chrono::milliseconds()> time = {};
  /// Requests to abort calls, including watches that have no stop token of their own.
  std::stop_token stop = {};
  Meter* meter = nullptr;  // borrowed; may be null
};

/// One page of a list.
struct Page {
  std::vector<json::Value> items;  // with apiVersion and kind, which list items lack
  std::string version;             // metadata.resourceVersion
  std::string next;                // metadata.continue; "": this is the last page
  std::optional<std::size_t> remaining = {};
};

/// Called if a server that does not fulfill a request says how long to wait before the next one, at
/// most ten minutes.
using OnRetryAfter = std::function<void(std::chrono::seconds wait)>;

struct ListOptions {
  std::string ns = {}, labels = {}, fields = {};  // selectors as text
  std::size_t limit = 0;                          // 0: the server decides
  std::string next = {};                          // Page::next of the previous page
  std::string version = {};                       // exactly this version; "": the newest
  bool metadata = false;  // of each object only apiVersion, kind and metadata
  /// Of a watch without a version: asks for all existing objects as ADDED events and then a
  /// bookmark that says so (k8s.io/initial-events-end). kInvalid if the server refuses that; some
  /// servers send the objects but no such bookmark.
  bool initial_events = false;
  std::chrono::seconds timeout{0};  // of a watch: the server ends it after that; 0: it decides
  OnRetryAfter on_retry_after = {};
};

struct WriteOptions {
  bool dry_run = false;
};

/// An event of a watch.
struct WatchEvent {
  enum class Type { kAdded, kModified, kDeleted, kBookmark } type = Type::kAdded;
  json::Value object;
};

/// Thread-safe. Errors are those of status.h, or say that there was no answer (http/client.h);
/// their place is the request. A request that the server rejects as too many (429) is repeated a
/// few times at the time it asks for, within the time limit of the call.
class Api {
 public:
  Api(std::unique_ptr<http::Client> client, ApiOptions options)
      : client_(std::move(client)), options_(std::move(options)) {}

  /// The served resources, requested once and again after forget().
  Result<std::shared_ptr<const Discovery>> discovery();
  void forget();
  /// The resource of a kind. If the kind is unknown, discovery is refreshed once per call.
  /// kNotFound if it is not served.
  Result<Resource> resource(const krm::GroupKind& kind, std::string_view version = {});

  Result<json::Value> get(const Resource& resource, std::string_view ns, std::string_view name);
  Result<Page> list(const Resource& resource, const ListOptions& options);
  Result<json::Value> create(const Resource& resource, const json::Value& object,
                             const WriteOptions& options = {});
  /// Updates (PUT) the object or one of its subresources. A resourceVersion in the object is a
  /// precondition.
  Result<json::Value> update(const Resource& resource, const json::Value& object,
                             std::string_view subresource = {}, const WriteOptions& options = {});
  /// `type` is the Content-Type: "application/merge-patch+json", "application/apply-patch+yaml".
  Result<json::Value> patch(const Resource& resource, std::string_view ns, std::string_view name,
                            std::string_view type, const json::Value& patch,
                            const WriteOptions& options = {});
  /// `options` is a DeleteOptions without apiVersion and kind; null: none. Returns the object in
  /// its last state if the server sends it, else a Status.
  Result<json::Value> remove(const Resource& resource, std::string_view ns, std::string_view name,
                             const json::Value& options);

  /// Passes events to `take` until the server ends the stream, `stop` is requested or `take`
  /// returns false; none of these is an error. kNotFound with Reason::kExpired if the version is no
  /// longer available. Requests bookmarks.
  Result<Done> watch(const Resource& resource, const ListOptions& options,
                     const std::stop_token& stop,
                     const std::function<bool(const WatchEvent& event)>& take);

  /// Any other call, with a JSON body unless that is null. Returns null for a response without a
  /// body.
  Result<json::Value> call(std::string method, std::string target, const json::Value& body,
                           http::Headers headers = {});
  /// A call with one JSON value per line as the response, without a time limit.
  Result<Done> lines(std::string method, std::string target, const json::Value& body,
                     const std::stop_token& stop,
                     const std::function<bool(const json::Value& line)>& take,
                     const OnRetryAfter& on_retry_after = {}, http::Headers headers = {});

 private:
  Result<json::Value> send(http::Call call, const OnRetryAfter& on_retry_after = {});
  Result<json::Value> send_now(http::Call& call, const OnRetryAfter& on_retry_after);
  Result<http::Response> answer(http::Call& call, const std::string& place);
  std::chrono::milliseconds time() const;
  std::string write_query(const WriteOptions& options) const;
  Result<std::shared_ptr<const Discovery>> discover();

  std::unique_ptr<http::Client> client_;
  ApiOptions options_;
  Guarded<std::shared_ptr<const Discovery>> discovery_;
};

}  // namespace portico::cluster
