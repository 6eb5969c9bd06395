#include "api/refusal.h"

namespace portico::api {

std::string text_of(const std::vector<Cause>& causes) {
  std::string out;
  for (const Cause& cause : causes) {
    if (!out.empty()) out += "; ";
    out += cause.message;
  }
  return out;
}

Error refusal(std::vector<Cause> causes) {
  Error error = invalid("{}", text_of(causes));
  error.causes = std::move(causes);
  return error;
}

}  // namespace portico::api
