#include "cluster/status.h"

#include <algorithm>
#include <string>

#include "base/printable.h"
#include "base/secrets.h"
#include "base/world_error.h"
#include "json/text.h"

namespace portico::cluster {

using json::Value;

namespace {

constexpr std::size_t kLongestText = 500;  // for a response that is not a Status

struct Meaning {
  std::string_view reason;
  int status;
  Code code;
  Reason why;
};
constexpr Meaning kMeanings[] = {
    {"BadRequest", 400, Code::kInvalid, Reason::kBadRequest},
    {"Unauthorized", 401, Code::kInvalid, Reason::kUnauthorized},
    {"Forbidden", 403, Code::kInvalid, Reason::kForbidden},
    {"NotFound", 404, Code::kNotFound, Reason::kByCode},
    {"MethodNotAllowed", 405, Code::kInvalid, Reason::kMethodNotAllowed},
    {"NotAcceptable", 406, Code::kInvalid, Reason::kNotAcceptable},
    {"AlreadyExists", 0, Code::kConflict, Reason::kAlreadyExists},
    {"Conflict", 409, Code::kConflict, Reason::kByCode},
    {"Expired", 410, Code::kNotFound, Reason::kExpired},
    {"Gone", 410, Code::kNotFound, Reason::kExpired},
    {"RequestEntityTooLarge", 413, Code::kInvalid, Reason::kTooLarge},
    {"UnsupportedMediaType", 415, Code::kInvalid, Reason::kUnsupportedMediaType},
    {"Invalid", 422, Code::kInvalid, Reason::kByCode},
    {"TooManyRequests", 429, Code::kUnavailable, Reason::kTooManyRequests},
    {"Timeout", 504, Code::kUnavailable, Reason::kTimeout},
    {"ServerTimeout", 0, Code::kUnavailable, Reason::kTimeout},
    {"ServiceUnavailable", 503, Code::kUnavailable, Reason::kByCode},
    {"InternalError", 500, Code::kUnavailable, Reason::kByCode},
};

Error sorted_by(std::string_view reason, int status, std::string text) {
  const Meaning* found = nullptr;
  for (const Meaning& each : kMeanings) {
    if (!reason.empty() ? each.reason == reason : each.status == status) {
      found = &each;
      break;
    }
  }
  // Unknown reason: use the HTTP status.
  if (found == nullptr && !reason.empty()) return sorted_by("", status, std::move(text));
  if (found == nullptr) return error_for(remedy_of_http(status), std::move(text));
  return Error(found->code, std::move(text)).because(found->why);
}

std::string one_line(std::string_view text) {
  std::string out(text.substr(0, kLongestText));
  std::replace(out.begin(), out.end(), '\n', ' ');
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return printable(without_secrets(out));
}

// A conflict's message starts with the object, which the caller knows.
std::string without_preamble(std::string text) {
  constexpr std::string_view kConflict = "Operation cannot be fulfilled on ";
  if (!text.starts_with(kConflict)) return text;
  const std::size_t colon = text.find("\": ");
  return colon == std::string::npos ? text : text.substr(colon + 3);
}

std::string without_prefix(std::string_view text, std::string_view prefix) {
  return std::string(text.starts_with(prefix) ? text.substr(prefix.size()) : text);
}

}  // namespace

Error error_of_status(const Value& status) {
  const std::string_view reason = status["reason"].as_string();
  const int code = static_cast<int>(status["code"].as_int());
  std::string text = one_line(status["message"].as_string());
  if (text.empty()) text = reason.empty() ? fmt::format("status {}", code) : one_line(reason);
  Error out = sorted_by(reason, code, without_preamble(std::move(text)));
  for (const Value& cause : status["details"]["causes"].items())
    out.causes.push_back({std::string(cause["reason"].as_string()),
                          one_line(cause["message"].as_string()),
                          std::string(cause["field"].as_string())});
  if (out.code == Code::kInvalid && out.reason == Reason::kByCode && out.causes.size() == 1) {
    const Cause only = std::move(out.causes.front());
    out.causes.clear();
    out.what = without_prefix(only.message, "Invalid value: ");
    if (!only.field.empty()) out.where.push_back(only.field);
  }
  return out;
}

Error error_of(int status, std::string_view body) {
  const auto parsed = json::parse(body);
  if (parsed && (*parsed)["kind"].as_string() == "Status") {
    Value whole = *parsed;
    if (!whole.contains("code")) whole = whole.with("code", status);
    return error_of_status(whole);
  }
  std::string text = one_line(body);
  return sorted_by("", status,
                   text.empty() ? fmt::format("the server responded with status {}", status)
                                : fmt::format("the server responded: {}", text));
}

}  // namespace portico::cluster
