#include "functions/internal/outcome.h"

namespace portico::functions {

Outcome fail(krm::ResourceList list, std::string message, std::string severity) {
  krm::FunctionResult result;
  result.message = std::move(message);
  result.severity = std::move(severity);
  list.results.push_back(std::move(result));
  return {std::move(list), "failed to evaluate function: error: function failure", 1};
}

Outcome fail_at_config(krm::ResourceList list, std::string message) {
  Outcome outcome = fail(std::move(list), std::move(message));
  if (const auto& config = outcome.list.function_config) {
    outcome.list.results.back().resource =
        krm::ResourceRef{std::string(config->api_version()), std::string(config->kind()),
                         std::string(config->ns()), std::string(config->name())};
  }
  return outcome;
}

Outcome fail_framework(krm::ResourceList list, std::string message) {
  std::string text = "[error]: " + message;
  Outcome outcome = fail(std::move(list), std::move(message));
  outcome.stderr_text = std::move(text);
  return outcome;
}

krm::FunctionResult info(std::string message) {
  krm::FunctionResult result;
  result.message = std::move(message);
  return result;
}

krm::FunctionResult plain(std::string message) {
  krm::FunctionResult result = info(std::move(message));
  result.severity.clear();
  return result;
}

krm::FunctionResult plain_at(const krm::Item& item, std::string field_path, std::string message) {
  krm::FunctionResult result = plain(std::move(message));
  result.field_path = std::move(field_path);
  result.file = item.file;
  result.index = item.index < 0 ? 0 : item.index;
  return result;
}

}  // namespace portico::functions
