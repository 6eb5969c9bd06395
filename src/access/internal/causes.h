// Field errors of an object, with Kubernetes' messages.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace portico::access::internal {

/// Collects causes in the format of apimachinery's field errors.
class Causes {
 public:
  void required(std::string field, std::string_view why);
  /// `value` is JSON text.
  void invalid(std::string field, std::string_view value, std::string_view why);
  void unsupported(std::string field, std::string_view value,
                   const std::vector<std::string>& supported);

  /// Done, or kInvalid: `KIND.GROUP "NAME" is invalid: [FIELD: MESSAGE, ...]` with the causes.
  Result<Done> check(std::string_view kind_and_group, std::string_view name) &&;

 private:
  std::vector<Cause> causes_;
};

}  // namespace portico::access::internal
