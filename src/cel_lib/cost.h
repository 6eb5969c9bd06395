// Estimates the maximum cost of an expression in a Kubernetes API server, which decides whether a
// rule is accepted in a definition.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>

#include "cel/program.h"

namespace portico::cel_lib {

inline constexpr std::uint64_t kUnbounded = std::numeric_limits<std::uint64_t>::max();

/// The size of a text in bytes, or of a list or map in elements.
struct SizeRange {
  std::uint64_t least = 0;
  std::uint64_t most = kUnbounded;
};

/// The known sizes of an expression's variables.
class Sizes {
 public:
  virtual ~Sizes() = default;
  /// The size of the value at a path: a variable, then fields, "@items" of lists, "@keys" and
  /// "@values" of maps. nullopt if unknown.
  virtual std::optional<SizeRange> of(std::span<const std::string> path) const = 0;
};

/// Uses the rules and units of cel-go and the Kubernetes libraries; an unknown bound is kUnbounded.
/// Equals Kubernetes' own figure, except for results of comprehensions and of functions whose size
/// cel-go does not estimate either.
cel::CostRange kubernetes_cost(const cel::Program& program, const Sizes& sizes);

}  // namespace portico::cel_lib
