#include "kubeapi/status_error.h"

#include <algorithm>
#include <tuple>

#include "base/utf8.h"

namespace portico::kubeapi {

using json::Value;

namespace {

constexpr std::string_view kMeta = "meta.k8s.io";

std::string joined(const std::string& name, const std::string& group) {
  return group.empty() ? name : name + "." + group;
}

// Some messages begin with their field; removes it.
std::string without_field(const Cause& cause) {
  const std::string_view text = cause.message;
  if (cause.field.empty() || !text.starts_with(cause.field)) return cause.message;
  const std::string_view rest = text.substr(cause.field.size());
  for (const std::string_view mark : {": ", " "})
    if (rest.starts_with(mark)) return std::string(rest.substr(mark.size()));
  return cause.message;
}

std::string field_line(const Cause& cause) {
  return fmt::format("{}: {}", cause.field, cause.message);
}

// JSON must be UTF-8: invalid bytes of a path or body become U+FFFD.
std::string as_utf8(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const Utf8Character front = utf8_front(text);
    append_utf8(out, front.valid ? front.code : 0xFFFD);
    text.remove_prefix(front.size);
  }
  return out;
}

Details about(std::string_view name, const std::string& group, const std::string& kind) {
  return {.name = std::string(name), .group = group, .kind = kind, .uid = {}, .causes = {}};
}

int code_of(const Error& error) {
  switch (error.reason) {
    case Reason::kByCode:
      break;
    case Reason::kBadRequest:
      return 400;
    case Reason::kUnauthorized:
      return 401;
    case Reason::kForbidden:
    case Reason::kRefused:
      return 403;
    case Reason::kAlreadyExists:
      return 409;
    case Reason::kExpired:
      return 410;
    case Reason::kMethodNotAllowed:
      return 405;
    case Reason::kNotAcceptable:
      return 406;
    case Reason::kUnsupportedMediaType:
      return 415;
    case Reason::kTooLarge:
      return 413;
    case Reason::kTooManyRequests:
      return 429;
    case Reason::kTimeout:
      return 504;
  }
  switch (error.code) {
    case Code::kInvalid:
      return 422;
    case Code::kNotFound:
      return 404;
    case Code::kConflict:
      return 409;
    case Code::kUnavailable:
      return 503;
    case Code::kInternal:
      break;
  }
  return 500;
}

}  // namespace

std::string Named::resource() const { return joined(plural, group); }
std::string Named::kind_text() const { return joined(kind, group); }

Value to_status(const StatusError& refusal) {
  Value out = Value::object({{"kind", "Status"},
                             {"apiVersion", "v1"},
                             {"metadata", Value::object()},
                             {"status", "Failure"},
                             {"message", as_utf8(refusal.message)},
                             {"code", refusal.code}});
  if (!refusal.reason.empty()) out = out.with("reason", refusal.reason);
  if (!refusal.details) return out;
  const Details& details = *refusal.details;
  Value shown = Value::object();
  const auto put = [&](const char* key, const std::string& text) {
    if (!text.empty()) shown = shown.with(key, as_utf8(text));
  };
  put("name", details.name);
  put("group", details.group);
  put("kind", details.kind);
  put("uid", details.uid);
  if (!details.causes.empty()) {
    std::vector<Value> causes;
    for (const Cause& cause : details.causes) {
      Value one = Value::object();
      if (!cause.reason.empty()) one = one.with("reason", cause.reason);
      if (!cause.message.empty()) one = one.with("message", as_utf8(cause.message));
      if (!cause.field.empty()) one = one.with("field", as_utf8(cause.field));
      causes.push_back(std::move(one));
    }
    shown = shown.with("causes", Value::array(std::move(causes)));
  }
  if (details.retry_after_seconds > 0)
    shown = shown.with("retryAfterSeconds", details.retry_after_seconds);
  return out.with("details", std::move(shown));
}

StatusError not_found(const Named& type, std::string_view name) {
  return {404, "NotFound", fmt::format("{} \"{}\" not found", type.resource(), name),
          about(name, type.group, type.plural)};
}

StatusError already_exists(const Named& type, std::string_view name) {
  return {409, "AlreadyExists", fmt::format("{} \"{}\" already exists", type.resource(), name),
          about(name, type.group, type.plural)};
}

StatusError invalid_object(const Named& type, std::string_view name, std::vector<Cause> causes) {
  for (Cause& cause : causes) cause.message = without_field(cause);
  std::stable_sort(causes.begin(), causes.end(), [](const Cause& a, const Cause& b) {
    return std::tie(a.field, a.message) < std::tie(b.field, b.message);
  });
  std::vector<std::string> lines;
  for (const Cause& cause : causes)
    if (std::string line = field_line(cause);
        std::find(lines.begin(), lines.end(), line) == lines.end())
      lines.push_back(std::move(line));
  std::string message = fmt::format("{} \"{}\" is invalid", type.kind_text(), name);
  if (lines.size() == 1) message += ": " + lines.front();
  if (lines.size() > 1) {
    message += ": [";
    for (std::size_t i = 0; i < lines.size(); ++i) message += (i == 0 ? "" : ", ") + lines[i];
    message += "]";
  }
  Details details = about(name, type.group, type.kind);
  details.causes = std::move(causes);
  return {422, "Invalid", std::move(message), std::move(details)};
}

StatusError conflict_of_kind(const Named& type, std::string_view name, std::string_view why) {
  return {
      409, "Conflict",
      fmt::format("Operation cannot be fulfilled on {} \"{}\": {}", type.kind_text(), name, why),
      about(name, type.group, type.kind)};
}

StatusError conflict_of_resource(const Named& type, std::string_view name, std::string_view why) {
  return {409, "Conflict",
          fmt::format("Operation cannot be fulfilled on {} \"{}\": {}", type.resource(), name, why),
          about(name, type.group, type.plural)};
}

StatusError forbidden_object(const Named& type, std::string_view name, std::string_view why,
                             std::vector<Cause> causes) {
  Details details = about(name, type.group, type.plural);
  details.causes = std::move(causes);
  return {403, "Forbidden",
          name.empty() ? fmt::format("{} is forbidden: {}", type.resource(), why)
                       : fmt::format("{} \"{}\" is forbidden: {}", type.resource(), name, why),
          std::move(details)};
}

StatusError bad_request(std::string message) {
  return {400, "BadRequest", std::move(message), std::nullopt};
}

StatusError plain_error(std::string message) { return {500, "", std::move(message), std::nullopt}; }

StatusError no_such_path() {
  return {404, "NotFound", "the server could not find the requested resource", Details{}};
}

StatusError no_such_method() {
  return {405, "MethodNotAllowed",
          "the server does not allow this method on the requested resource", Details{}};
}

StatusError not_supported(const Named& type, std::string_view verb) {
  return {405, "MethodNotAllowed",
          fmt::format("{} is not supported on resources of kind \"{}\"", verb, type.resource()),
          about("", type.group, type.plural)};
}

StatusError not_acceptable(std::string message) {
  return {406, "NotAcceptable", std::move(message), std::nullopt};
}

StatusError unsupported_media_type(std::string message) {
  return {415, "UnsupportedMediaType", std::move(message), std::nullopt};
}

StatusError expired(std::string message) {
  return {410, "Expired", std::move(message), std::nullopt};
}

StatusError too_large(std::string message) {
  return {413, "RequestEntityTooLarge", std::move(message), Details{}};
}

StatusError invalid_options(std::string_view kind, std::vector<Cause> causes) {
  return invalid_object({std::string(kMeta), "", std::string(kind)}, "", std::move(causes));
}

StatusError status_error_of(const Error& error) {
  // An API server refused Portico's own credentials: the client need not log in.
  const bool own = error.reason == Reason::kUnauthorized && error.code == Code::kUnavailable;
  StatusError out{own ? 503 : code_of(error),
                  own ? name(Reason::kByCode, error.code) : name(error.reason, error.code),
                  error.text(), std::nullopt};
  if (!error.causes.empty()) {
    out.details = Details{};
    out.details->causes = error.causes;
  }
  return out;
}

StatusError status_error_of(const Error& error, const Named& type, std::string_view name) {
  if (error.reason == Reason::kAlreadyExists) return already_exists(type, name);
  if (error.reason == Reason::kForbidden || error.reason == Reason::kRefused)
    return forbidden_object(type, name, error.text());
  if (error.reason == Reason::kByCode && error.code == Code::kNotFound)
    return not_found(type, name);
  if (error.reason == Reason::kByCode && error.code == Code::kConflict)
    return conflict_of_resource(type, name, error.text());
  if (error.reason == Reason::kByCode && error.code == Code::kInvalid) {
    if (!error.causes.empty()) return invalid_object(type, name, error.causes);
    std::string field;
    for (auto place = error.where.rbegin(); place != error.where.rend(); ++place)
      field += (field.empty() ? "" : ".") + *place;
    return invalid_object(type, name,
                          {{"FieldValueInvalid", "Invalid value: " + error.what, field}});
  }
  return status_error_of(error);
}

}  // namespace portico::kubeapi
