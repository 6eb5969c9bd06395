// x-kubernetes-validations: validation of objects by CEL expressions.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/value.h"
#include "schema/schema.h"

namespace portico::schema {

namespace internal {
struct RuleTree;
}

/// The compiled rules of a schema. Immutable and cheap to copy; thread-safe.
class Rules {
 public:
  /// No rules.
  Rules() = default;
  /// A rule that does not compile fails for every object, and its cause says so.
  static Rules compile(const Schema& schema);

  /// The violations of `object`, with Kubernetes' messages: for each value its own rules first,
  /// then those of its members by name. Transition rules (which use oldSelf) are evaluated only if
  /// `old` is not nullptr and has the value; violations of other rules are ignored for unchanged
  /// values. When the cost limit is reached, evaluation ends with a cause that says so. The object
  /// must otherwise be valid against its schema.
  std::vector<Cause> evaluate(const json::Value& object, const json::Value* old = nullptr) const;

 private:
  std::shared_ptr<const internal::RuleTree> tree_;
};

/// What is wrong with the rules of a structural schema: expressions that do not compile, that use
/// oldSelf where it cannot be correlated, or that may cost too much. `path` as for
/// structural_causes().
std::vector<Cause> rule_causes(const Schema& schema, std::string_view path);

}  // namespace portico::schema
