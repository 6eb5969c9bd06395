#include "kubeapi/options.h"

#include <charconv>

#include "kubeapi/request_info.h"
#include "schema/causes.h"

namespace portico::kubeapi {

using json::Value;

namespace {

// Go's strconv.ParseInt and ParseUint, whose errors clients see.
StatusOr<std::int64_t> parse_int(std::string_view text) {
  std::int64_t number = 0;
  const char* const first = text.data() + (text.starts_with('+') ? 1 : 0);
  const auto [end, error] = std::from_chars(first, text.data() + text.size(), number);
  if (error == std::errc::result_out_of_range)
    return bad_request(
        fmt::format("strconv.ParseInt: parsing {}: value out of range", schema::go_quoted(text)));
  if (error != std::errc() || end != text.data() + text.size() || text.empty())
    return bad_request(
        fmt::format("strconv.ParseInt: parsing {}: invalid syntax", schema::go_quoted(text)));
  return number;
}

StatusOr<std::uint64_t> parse_version(std::string_view text, bool watch) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size() && !text.empty()) return number;
  const std::string quoted = schema::go_quoted(text);
  const std::string why = fmt::format(
      "resourceVersion: Invalid value: {}: strconv.ParseUint: parsing {}: invalid syntax", quoted,
      quoted);
  if (watch) return plain_error(why);
  return bad_request("invalid resource version: " + why);
}

constexpr std::string_view kMatchField = "resourceVersionMatch";

Cause match_forbidden(std::string_view why) {
  return schema::forbidden_value(std::string(kMatchField), why);
}

Cause match_unsupported(std::string_view match, bool initial_events) {
  static const std::string kAll[] = {"Exact", "NotOlderThan", ""};
  static const std::string kOne[] = {"NotOlderThan"};
  return schema::unsupported_value(
      std::string(kMatchField), Value(match),
      initial_events ? std::span<const std::string>(kOne) : std::span<const std::string>(kAll));
}

std::vector<Cause> match_causes(const http::Query& query, bool watch) {
  const std::string_view match = query.get("resourceVersionMatch"),
                         version = query.get("resourceVersion");
  const bool continued = !query.get("continue").empty();
  std::vector<Cause> out;
  if (watch && query.has("sendInitialEvents")) {
    if (match != "NotOlderThan")
      out.push_back(
          match_forbidden("sendInitialEvents requires setting resourceVersionMatch to "
                          "NotOlderThan"));
    if (!match.empty() && match != "NotOlderThan") out.push_back(match_unsupported(match, true));
    if (continued)
      out.push_back(match_forbidden("resourceVersionMatch is forbidden when continue is provided"));
    return out;
  }
  if (watch) {
    if (!match.empty())
      out.push_back(match_forbidden(
          "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided"));
    if (continued)
      out.push_back(match_forbidden("resourceVersionMatch is forbidden when continue is provided"));
    return out;
  }
  if (match.empty()) return out;
  if (version.empty())
    out.push_back(
        match_forbidden("resourceVersionMatch is forbidden unless resourceVersion is provided"));
  if (continued)
    out.push_back(match_forbidden("resourceVersionMatch is forbidden when continue is provided"));
  if (match != "Exact" && match != "NotOlderThan") out.push_back(match_unsupported(match, false));
  if (match == "Exact" && version == "0")
    out.push_back(
        match_forbidden("resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\""));
  return out;
}

// Whether the request is a dry run.
StatusOr<bool> dry_run(const std::vector<std::string_view>& stages, std::string_view kind) {
  if (stages.empty()) return false;
  std::vector<Value> all(stages.begin(), stages.end());
  static const std::string kAll[] = {"All"};
  for (const std::string_view stage : stages)
    if (stage != "All")
      return invalid_options(
          kind, {schema::unsupported_value("dryRun", Value::array(std::move(all)), kAll)});
  return true;
}

}  // namespace

StatusOr<ListOptions> list_options(const http::Query& query, bool watch) {
  ListOptions out;
  if (query.has("limit")) {
    PORTICO_TRY(const std::int64_t limit, parse_int(query.get("limit")));
    out.limit = limit > 0 ? static_cast<std::size_t>(limit) : 0;
  }
  if (query.has("timeoutSeconds")) {
    PORTICO_TRY(out.timeout_seconds, parse_int(query.get("timeoutSeconds")));
  }
  if (auto causes = match_causes(query, watch); !causes.empty())
    return invalid_options("ListOptions", std::move(causes));
  const std::string_view match = query.get("resourceVersionMatch");
  if (match == "Exact") out.match = VersionMatch::kExact;
  if (match == "NotOlderThan") out.match = VersionMatch::kNotOlderThan;
  out.continue_token = query.get("continue");
  if (const std::string_view version = query.get("resourceVersion"); !version.empty()) {
    if (!out.continue_token.empty() && version != "0")
      return bad_request("specifying resource version is not allowed when using continue");
    PORTICO_TRY(out.version, parse_version(version, watch));
  }
  out.labels = query.get("labelSelector");
  out.fields = query.get("fieldSelector");
  out.bookmarks = is_true(query, "allowWatchBookmarks");
  out.initial_events = watch && is_true(query, "sendInitialEvents");
  return out;
}

StatusOr<WriteOptions> write_options(const http::Query& query, std::string_view kind, bool apply) {
  WriteOptions out;
  std::vector<Cause> causes;
  out.field_manager = query.get("fieldManager");
  constexpr std::size_t kLongest = 128;
  if (out.field_manager.size() > kLongest)
    causes.push_back(schema::too_long("fieldManager", kLongest));
  for (std::size_t i = 0; i < out.field_manager.size(); ++i)
    if (const auto c = static_cast<unsigned char>(out.field_manager[i]); c < 0x20 || c == 0x7F) {
      causes.push_back(
          schema::invalid_value("fieldManager", Value(out.field_manager),
                                fmt::format("invalid character U+{:04X} (at position {})", c, i)));
      break;
    }
  out.force = is_true(query, "force");
  if (apply && out.field_manager.empty())
    causes.push_back(schema::required_value("fieldManager", "is required for apply patch"));
  if (!apply && query.has("force") && kind == "PatchOptions")
    causes.push_back(schema::forbidden_value("force", "may not be specified for non-apply patch"));
  const std::string_view validation = query.get("fieldValidation");
  if (validation == "Ignore")
    out.validation = FieldValidation::kIgnore;
  else if (validation == "Strict")
    out.validation = FieldValidation::kStrict;
  else if (!validation.empty() && validation != "Warn") {
    static const std::string kWords[] = {"", "Ignore", "Strict", "Warn"};
    causes.push_back(schema::unsupported_value("fieldValidation", Value(validation), kWords));
  }
  if (!causes.empty()) return invalid_options(kind, std::move(causes));
  PORTICO_TRY(out.dry_run, dry_run(query.all("dryRun"), kind));
  return out;
}

StatusOr<DeleteOptions> delete_options(const http::Query& query, const Value& body) {
  DeleteOptions out;
  std::string_view policy;
  bool has_orphan = false, orphan = false;
  std::vector<std::string_view> stages;
  if (body.is_null()) {
    policy = query.get("propagationPolicy");
    has_orphan = query.has("orphanDependents");
    orphan = is_true(query, "orphanDependents");
    stages = query.all("dryRun");
    if (query.has("gracePeriodSeconds")) PORTICO_DO(parse_int(query.get("gracePeriodSeconds")));
  } else {
    policy = body["propagationPolicy"].as_string();
    has_orphan = body.contains("orphanDependents");
    orphan = body["orphanDependents"].as_bool();
    for (const Value& stage : body["dryRun"].items()) stages.push_back(stage.as_string());
    out.uid = body["preconditions"]["uid"].as_string();
    out.version = body["preconditions"]["resourceVersion"].as_string();
  }
  std::vector<Cause> causes;
  if (has_orphan && !policy.empty())
    causes.push_back(
        schema::invalid_value("propagationPolicy", Value(policy),
                              "orphanDependents and deletionPropagation cannot be both set"));
  if (policy == "Foreground")
    out.cascade = Cascade::kForeground;
  else if (policy == "Orphan")
    out.cascade = Cascade::kOrphan;
  else if (policy == "Background")
    out.cascade = Cascade::kBackground;
  else if (!policy.empty()) {
    static const std::string kWords[] = {"Foreground", "Background", "Orphan", "nil"};
    causes.push_back(schema::unsupported_value("propagationPolicy", Value(policy), kWords));
  }
  if (!causes.empty()) return invalid_options("DeleteOptions", std::move(causes));
  if (has_orphan) out.cascade = orphan ? Cascade::kOrphan : Cascade::kBackground;
  PORTICO_TRY(out.dry_run, dry_run(stages, "DeleteOptions"));
  return out;
}

std::string default_manager(std::string_view user_agent) {
  std::string out(user_agent.substr(0, user_agent.find('/')));
  if (out.size() > 128) out.resize(128);
  return out;
}

}  // namespace portico::kubeapi
