// Parses the text form of label selectors, with Kubernetes' errors. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kubeapi/status_error.h"

namespace portico::kubeapi {

struct LabelRequirement {
  enum class Operator { kIn, kNotIn, kExists, kDoesNotExist, kGreater, kLess };
  std::string key;
  Operator op = Operator::kIn;
  std::vector<std::string> values;
};

/// "a=b,c!=d,e in (f,g),!h,i,n>3".
StatusOr<std::vector<LabelRequirement>> parse_label_selector(std::string_view text);

}  // namespace portico::kubeapi
