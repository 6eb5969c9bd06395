// Collects validation errors, in order.
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "base/result.h"

namespace portico::api::internal {

/// Each error has the path of its field and a self-contained message.
class Findings {
 public:
  template <class... Args>
  void required(std::string field, fmt::format_string<Args...> text, Args&&... args) {
    add("FieldValueRequired", std::move(field), fmt::format(text, std::forward<Args>(args)...));
  }
  template <class... Args>
  void invalid(std::string field, fmt::format_string<Args...> text, Args&&... args) {
    add("FieldValueInvalid", std::move(field), fmt::format(text, std::forward<Args>(args)...));
  }
  /// A value that is not among the supported ones.
  template <class... Args>
  void unsupported(std::string field, fmt::format_string<Args...> text, Args&&... args) {
    add("FieldValueNotSupported", std::move(field), fmt::format(text, std::forward<Args>(args)...));
  }

  void add(std::vector<Cause> more) {
    for (Cause& cause : more) causes_.push_back(std::move(cause));
  }

  std::vector<Cause> take() && { return std::move(causes_); }

 private:
  void add(const char* reason, std::string field, std::string message) {
    causes_.push_back({reason, std::move(message), std::move(field)});
  }

  std::vector<Cause> causes_;
};

}  // namespace portico::api::internal
