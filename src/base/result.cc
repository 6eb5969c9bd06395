#include "base/result.h"

namespace portico {

const char* name(Code code) {
  switch (code) {
    case Code::kInvalid:
      return "Invalid";
    case Code::kNotFound:
      return "NotFound";
    case Code::kConflict:
      return "Conflict";
    case Code::kUnavailable:
      return "Unavailable";
    case Code::kInternal:
      return "Internal";
  }
  return "Internal";
}

const char* name(Reason reason, Code code) {
  switch (reason) {
    case Reason::kByCode:
      break;
    case Reason::kBadRequest:
      return "BadRequest";
    case Reason::kUnauthorized:
      return "Unauthorized";
    case Reason::kForbidden:
    case Reason::kRefused:
      return "Forbidden";
    case Reason::kAlreadyExists:
      return "AlreadyExists";
    case Reason::kExpired:
      return "Expired";
    case Reason::kMethodNotAllowed:
      return "MethodNotAllowed";
    case Reason::kNotAcceptable:
      return "NotAcceptable";
    case Reason::kUnsupportedMediaType:
      return "UnsupportedMediaType";
    case Reason::kTooLarge:
      return "RequestEntityTooLarge";
    case Reason::kTooManyRequests:
      return "TooManyRequests";
    case Reason::kTimeout:
      return "Timeout";
  }
  switch (code) {
    case Code::kUnavailable:
      return "ServiceUnavailable";
    case Code::kInternal:
      return "InternalError";
    default:
      return name(code);
  }
}

std::string Error::text() const {
  std::string out;
  for (auto place = where.rbegin(); place != where.rend(); ++place) {
    if (place->empty()) continue;
    out += *place;
    out += ": ";
  }
  return out + what;
}

}  // namespace portico
