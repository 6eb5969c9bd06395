// The options of a request, from its query or body: metav1's ListOptions, CreateOptions, ... Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "http/escape.h"
#include "json/value.h"
#include "kubeapi/status_error.h"

namespace portico::kubeapi {

/// How the resourceVersion of a list or watch is meant (resourceVersionMatch).
enum class VersionMatch { kUnset, kExact, kNotOlderThan };

struct ListOptions {
  std::optional<std::uint64_t> version;  // resourceVersion; nullopt: not given
  VersionMatch match = VersionMatch::kUnset;
  std::size_t limit = 0;
  std::string continue_token;
  std::string labels, fields;  // selectors, as sent
  std::optional<std::int64_t> timeout_seconds;
  bool bookmarks = false;       // allowWatchBookmarks
  bool initial_events = false;  // sendInitialEvents=true
};
/// 400 and 422 with Kubernetes' messages; as in Kubernetes, 500 if a watch's version is not a
/// number.
StatusOr<ListOptions> list_options(const http::Query& query, bool watch);

enum class FieldValidation { kIgnore, kWarn, kStrict };

/// Options of a create, update or patch.
struct WriteOptions {
  bool dry_run = false;
  std::string field_manager;
  FieldValidation validation = FieldValidation::kWarn;
  bool force = false;  // for server-side apply
};
/// `kind`: CreateOptions, UpdateOptions or PatchOptions, for error messages.
StatusOr<WriteOptions> write_options(const http::Query& query, std::string_view kind, bool apply);

enum class Cascade { kBackground, kForeground, kOrphan };

struct DeleteOptions {
  bool dry_run = false;
  std::optional<Cascade> cascade;
  std::string uid;      // preconditions
  std::string version;  // preconditions.resourceVersion
};
/// If `body` is null, the query is used. 422 with Kubernetes' messages.
StatusOr<DeleteOptions> delete_options(const http::Query& query, const json::Value& body);

/// The field manager of a write that names none: the User-Agent up to the first '/'.
std::string default_manager(std::string_view user_agent);

}  // namespace portico::kubeapi
