// A compiled expression.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/result.h"
#include "cel/activation.h"
#include "cel/ast.h"
#include "cel/library.h"
#include "cel/type.h"
#include "cel/value.h"

namespace portico::cel {

namespace internal {
struct Code;
}

/// Minimum and maximum cost of an evaluation, in the units of Limits::cost.
struct CostRange {
  std::uint64_t least = 0;
  std::uint64_t most = 0;
};

/// Immutable, cheap to copy and thread-safe.
class Program {
 public:
  /// Returns the result, or kInvalid with the error, its position (line:column) and the
  /// sub-expression where it occurred: "no such key: region, at 1:19 in
  /// `repository.labels['region']`". An evaluation that exceeds the cost limit is such an error
  /// too.
  Result<Value> evaluate(const Activation& variables) const;

  /// The same, but spends from `budget`, for expressions that share one. The language's own limit
  /// does not apply.
  Result<Value> evaluate(const Activation& variables, Budget& budget) const;

  /// The compiled expression with types filled in; valid while the program or a copy of it exists.
  const Expr& root() const;
  /// The type that the checker deduced; dyn if checking was off.
  const Type& type() const;
  const std::string& source() const;
  /// Estimated from the text alone, assuming that every non-constant string, list and map has size
  /// `assumed_size`; the maximum is capped at 2^64 - 1.
  CostRange estimate(std::uint64_t assumed_size) const;

 private:
  friend class Env;
  explicit Program(std::shared_ptr<const internal::Code> code) : code_(std::move(code)) {}
  std::shared_ptr<const internal::Code> code_;
};

}  // namespace portico::cel
