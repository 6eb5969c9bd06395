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

std::string Error::text() const {
  std::string out;
  for (auto place = where.rbegin(); place != where.rend(); ++place) {
    out += *place;
    out += ": ";
  }
  return out + what;
}

}  // namespace portico
