// labelSelector and fieldSelector of a request. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"
#include "krm/meta.h"
#include "kubeapi/resource_type.h"
#include "kubeapi/status_error.h"

namespace portico::kubeapi {

/// Conditions on objects beyond their kind, namespace and name. A value type.
class Filter {
 public:
  /// Parses the selectors of a request. 400 with Kubernetes' messages. Supported fields are
  /// metadata.name, metadata.namespace, the version's selectable fields and those of built-in
  /// kinds.
  static StatusOr<Filter> parse(std::string_view labels, std::string_view fields,
                                const ResourceType& type, const Version& version);

  /// The part that a registry can evaluate.
  const krm::LabelSelector& labels() const { return labels_; }
  /// The required metadata.name, or "".
  const std::string& name() const { return name_; }
  /// The required metadata.namespace, or "".
  const std::string& ns() const { return ns_; }
  /// Whether it selects everything.
  bool empty() const {
    return labels_.requirements().empty() && rest_empty() && name_.empty() && ns_.empty();
  }
  /// Whether labels(), name() and ns() cover the whole filter.
  bool rest_empty() const { return numbers_.empty() && fields_.empty(); }

  /// Evaluates the conditions that labels(), name() and ns() do not cover.
  bool matches_rest(const json::Value& object) const;

 private:
  struct Number {
    std::string key;
    std::int64_t bound = 0;
    bool greater = true;
  };
  struct Field {
    std::vector<std::string> path;
    std::string value;
    bool equal = true;
  };
  krm::LabelSelector labels_;
  std::string name_, ns_;
  std::vector<Number> numbers_;
  std::vector<Field> fields_;
};

}  // namespace portico::kubeapi
