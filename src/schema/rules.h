// x-kubernetes-validations: what expressions have against an object.
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

/// The rules of a schema, compiled. Immutable and cheap to copy; any thread may use one.
class Rules {
 public:
  /// None.
  Rules() = default;
  /// A rule that does not compile fails for every object and says so.
  static Rules compile(const Schema& schema);

  /// What the rules have against `object`, in Kubernetes' words: of each value its own rules come
  /// first, then those of its members by name. Transition rules (which use oldSelf) are evaluated
  /// where `old` is not nullptr and has the value; other rules are not held against a value that
  /// stays as it was. Costs are limited: at the limit evaluation ends, with a cause that says so.
  /// The object is valid by its schema otherwise.
  std::vector<Cause> evaluate(const json::Value& object, const json::Value* old = nullptr) const;

 private:
  std::shared_ptr<const internal::RuleTree> tree_;
};

/// What is wrong with the rules of a definition whose schema is structural: expressions that do not
/// compile or use oldSelf where it cannot be told, and those that may cost too much. `path` as for
/// structural_causes().
std::vector<Cause> rule_causes(const Schema& schema, std::string_view path);

}  // namespace portico::schema
