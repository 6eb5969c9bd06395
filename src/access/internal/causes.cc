#include "access/internal/causes.h"

#include <fmt/format.h>

#include "access/policy.h"
#include "base/go_quoted.h"

namespace portico::access::internal {

void Causes::required(std::string field, std::string_view why) {
  std::string message = "Required value";
  if (!why.empty()) message += fmt::format(": {}", why);
  causes_.push_back({"FieldValueRequired", std::move(message), std::move(field)});
}

void Causes::invalid(std::string field, std::string_view value, std::string_view why) {
  causes_.push_back(
      {"FieldValueInvalid", fmt::format("Invalid value: {}: {}", value, why), std::move(field)});
}

void Causes::unsupported(std::string field, std::string_view value,
                         const std::vector<std::string>& supported) {
  std::string list;
  for (const std::string& one : supported) {
    if (!list.empty()) list += ", ";
    list += go_quoted(one);
  }
  causes_.push_back(
      {"FieldValueNotSupported",
       fmt::format("Unsupported value: {}: supported values: {}", go_quoted(value), list),
       std::move(field)});
}

Result<Done> Causes::check(std::string_view kind_and_group, std::string_view name) && {
  if (causes_.empty()) return Done{};
  std::vector<std::string> texts;
  for (const Cause& cause : causes_) texts.push_back(cause.field + ": " + cause.message);
  Error error =
      portico::invalid("{} {} is invalid: {}", kind_and_group, go_quoted(name), joined(texts));
  error.causes = std::move(causes_);
  return error;
}

}  // namespace portico::access::internal
