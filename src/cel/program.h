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

/// Least and most that an evaluation can cost, in the units of Limits::cost.
struct CostRange {
  std::uint64_t least = 0;
  std::uint64_t most = 0;
};

/// Immutable and cheap to copy; any number of threads may evaluate one at the same time.
class Program {
 public:
  /// The result, or kInvalid with what is wrong, where (line:column) and the sub-expression it came
  /// up in: "no such key: region, at 1:19 in `repository.labels['region']`". An evaluation that
  /// costs more than the limit is such an error too.
  Result<Value> evaluate(const Activation& variables) const;

  /// The same within what is left of `budget`, which the evaluation spends from: for expressions
  /// that share one. The language's own limit is not asked.
  Result<Value> evaluate(const Activation& variables, Budget& budget) const;

  /// What was compiled, types filled in; valid as long as the program or a copy of it lives.
  const Expr& root() const;
  /// What the checker deduced; dyn where checking was off.
  const Type& type() const;
  const std::string& source() const;
  /// From the text alone, taking every string, list and map that is not a constant for
  /// `assumed_size` long; most is capped at 2^64 - 1.
  CostRange estimate(std::uint64_t assumed_size) const;

 private:
  friend class Env;
  explicit Program(std::shared_ptr<const internal::Code> code) : code_(std::move(code)) {}
  std::shared_ptr<const internal::Code> code_;
};

}  // namespace portico::cel
