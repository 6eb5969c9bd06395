// The options of a request, from its query or body: metav1's ListOptions, CreateOptions, ...
// Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "http/escape.h"
#include "json/value.h"
#include "kubeapi/refusal.h"

namespace portico::kubeapi {

/// How the versions of a list or the start of a watch are meant (resourceVersionMatch).
enum class VersionMatch { kUnset, kExact, kNotOlderThan };

struct ListOptions {
  std::optional<std::uint64_t> version;  // resourceVersion; nullopt: not given
  VersionMatch match = VersionMatch::kUnset;
  std::size_t limit = 0;
  std::string continue_token;
  std::string labels, fields;  // selectors, as they were sent
  std::optional<std::int64_t> timeout_seconds;
  bool bookmarks = false;       // allowWatchBookmarks
  bool initial_events = false;  // sendInitialEvents=true
};
/// 400 and 422 with Kubernetes' texts; 500 for a version of a watch that is no number, as there.
Reply<ListOptions> list_options(const http::Query& query, bool watch);

enum class FieldValidation { kIgnore, kWarn, kStrict };

/// Of a create, an update, a patch.
struct WriteOptions {
  bool dry_run = false;
  std::string field_manager;
  FieldValidation validation = FieldValidation::kWarn;
  bool force = false;  // of an apply
};
/// `kind`: CreateOptions, UpdateOptions or PatchOptions, as refusals name it.
Reply<WriteOptions> write_options(const http::Query& query, std::string_view kind, bool apply);

enum class Cascade { kBackground, kForeground, kOrphan };

struct DeleteOptions {
  bool dry_run = false;
  std::optional<Cascade> cascade;
  std::string uid;      // preconditions
  std::string version;  // preconditions.resourceVersion
};
/// `body` null: none was sent, and the query counts. 422 with Kubernetes' texts.
Reply<DeleteOptions> delete_options(const http::Query& query, const json::Value& body);

/// The manager of a write that names none: the part of a User-Agent before the first '/'.
std::string default_manager(std::string_view user_agent);

}  // namespace portico::kubeapi
