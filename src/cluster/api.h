// A client of a Kubernetes API: discovery, the verbs, watches as streams of events.
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
#include "base/result.h"
#include "cluster/discovery.h"
#include "http/client.h"
#include "http/escape.h"
#include "json/value.h"
#include "krm/meta.h"

namespace portico::cluster {

struct ApiOptions {
  std::string field_manager = "portico";
  /// How long a call may take from now on; empty: a minute. Watches are not bound by it.
  std::function<std::chrono::milliseconds()> time = {};
  /// Calls, watches but for those with a stop of their own, give up at once where it comes.
  std::stop_token stop = {};
};

/// One page of a list.
struct Page {
  std::vector<json::Value> items;  // with apiVersion and kind, which lists leave out
  std::string version;             // metadata.resourceVersion
  std::string next;                // metadata.continue; "": this was the last
  std::optional<std::size_t> remaining = {};
};

struct ListOptions {
  std::string ns = {}, labels = {}, fields = {};  // selectors as text
  std::size_t limit = 0;                          // 0: as many as the server gives
  std::string next = {};                          // Page::next of the page before
  std::string version = {};                       // exactly that one; "": the newest
};

struct WriteOptions {
  bool dry_run = false;
};

/// What a watch says.
struct WatchEvent {
  enum class Type { kAdded, kModified, kDeleted, kBookmark } type = Type::kAdded;
  json::Value object;
};

/// Safe from any thread. Errors are those of status.h, or say that there was no answer
/// (http/client.h); the place is what was asked for. A server that is asked too much (429) is asked
/// again when it says, a few times, within the time of the call.
class Api {
 public:
  Api(std::unique_ptr<http::Client> client, ApiOptions options)
      : client_(std::move(client)), options_(std::move(options)) {}

  /// What is served: asked for once, and again after forget().
  Result<std::shared_ptr<const Discovery>> discovery();
  void forget();
  /// The resource of a kind; discovery is asked again, once a call, for one that is not known.
  /// kNotFound where it is not served.
  Result<Resource> resource(const krm::GroupKind& kind, std::string_view version = {});

  Result<json::Value> get(const Resource& resource, std::string_view ns, std::string_view name);
  Result<Page> list(const Resource& resource, const ListOptions& options);
  Result<json::Value> create(const Resource& resource, const json::Value& object,
                             const WriteOptions& options = {});
  /// A PUT of the object, or of one of its subresources; with its resourceVersion, where it has
  /// one, as precondition.
  Result<json::Value> update(const Resource& resource, const json::Value& object,
                             std::string_view subresource = {}, const WriteOptions& options = {});
  /// `type` is the Content-Type: "application/merge-patch+json", "application/apply-patch+yaml".
  Result<json::Value> patch(const Resource& resource, std::string_view ns, std::string_view name,
                            std::string_view type, const json::Value& patch,
                            const WriteOptions& options = {});
  /// `options` is a DeleteOptions without apiVersion and kind; null: none. The object in its last
  /// state where the server says it, else a Status.
  Result<json::Value> remove(const Resource& resource, std::string_view ns, std::string_view name,
                             const json::Value& options);

  /// Hands events to `take` until the server ends the stream, `stop` is asked for or `take` says
  /// false; all three are no error. kNotFound with Reason::kExpired where the version is no longer
  /// kept. Bookmarks are asked for.
  Result<Done> watch(const Resource& resource, const ListOptions& options,
                     const std::stop_token& stop,
                     const std::function<bool(const WatchEvent& event)>& take);

  /// Any other call, with a JSON body where that is not null; null for an answer without a body.
  Result<json::Value> call(std::string method, std::string target, const json::Value& body,
                           http::Headers headers = {});
  /// A call whose answer is one JSON value a line, for as long as it takes.
  Result<Done> lines(std::string method, std::string target, const json::Value& body,
                     const std::stop_token& stop,
                     const std::function<bool(const json::Value& line)>& take);

 private:
  Result<json::Value> send(http::Call call);
  Result<json::Value> send_now(http::Call& call);
  Result<http::Response> answer(http::Call& call, const std::string& place);
  std::chrono::milliseconds time() const;
  std::string write_query(const WriteOptions& options) const;
  Result<std::shared_ptr<const Discovery>> discover();

  std::unique_ptr<http::Client> client_;
  ApiOptions options_;
  Guarded<std::shared_ptr<const Discovery>> discovery_;
};

}  // namespace portico::cluster
