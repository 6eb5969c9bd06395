// What an expression may cost at most in a Kubernetes API server: the estimate that decides whether
// a rule may stand in a definition.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>

#include "cel/program.h"

namespace portico::cel_lib {

inline constexpr std::uint64_t kUnbounded = std::numeric_limits<std::uint64_t>::max();

/// Of a text in bytes, of a list or map in elements.
struct SizeRange {
  std::uint64_t least = 0;
  std::uint64_t most = kUnbounded;
};

/// What is known of the variables of an expression.
class Sizes {
 public:
  virtual ~Sizes() = default;
  /// Of what a path leads to: a variable, then fields, "@items" of lists, "@keys" and "@values" of
  /// maps. Nothing where it is not known.
  virtual std::optional<SizeRange> of(std::span<const std::string> path) const = 0;
};

/// By the rules of cel-go and of Kubernetes' libraries, in their units; a bound that is not known
/// is kUnbounded. Kubernetes' own figure but for results of comprehensions and of functions whose
/// size cel-go does not estimate either.
cel::CostRange kubernetes_cost(const cel::Program& program, const Sizes& sizes);

}  // namespace portico::cel_lib
