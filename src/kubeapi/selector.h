// labelSelector and fieldSelector of a request. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"
#include "krm/meta.h"
#include "kubeapi/refusal.h"
#include "kubeapi/resource_type.h"

namespace portico::kubeapi {

/// What is asked of objects beyond their kind, namespace and name. A value.
class Filter {
 public:
  /// From a request's query. 400 with Kubernetes' texts. Fields that can be asked for are
  /// metadata.name, metadata.namespace, those of `fields` (paths of members) and the kind's own.
  static Reply<Filter> parse(std::string_view labels, std::string_view fields,
                             const ResourceType& type, const Version& version);

  /// The part of it that a registry knows.
  const krm::LabelSelector& labels() const { return labels_; }
  /// metadata.name where one is asked for; "" else.
  const std::string& name() const { return name_; }
  /// metadata.namespace where one is asked for; "" else.
  const std::string& ns() const { return ns_; }
  /// Whether it asks for anything.
  bool empty() const {
    return labels_.requirements().empty() && rest_empty() && name_.empty() && ns_.empty();
  }
  /// Whether labels(), name() and ns() say all of it.
  bool rest_empty() const { return numbers_.empty() && fields_.empty(); }

  /// What is not said by labels(), name() and ns().
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
