// The types and size limits of values, for type checking and cost estimates of expressions.
#pragma once

#include <optional>
#include <string>

#include "cel/env.h"
#include "cel/type.h"
#include "cel_lib/cost.h"
#include "schema/schema.h"

namespace portico::schema::internal {

/// Maximum size of a request: no string, list or map can have more elements.
inline constexpr std::uint64_t kRequestBytes = 3 << 20;

/// The type of a value with this schema; nullopt if it has none, like preserved unknown fields.
/// Object types are declared in `builder` as `name`, and nested ones under derived names.
std::optional<cel::Type> rule_type(const Node& node, const std::string& name, bool is_resource,
                                   cel::EnvBuilder& builder);

/// The maximum number of bytes (of a string) or elements of a value.
std::uint64_t most_elements(const Node& node);

/// The JSON size in bytes of the smallest valid value.
std::uint64_t least_bytes(const Node& node);

/// The sizes of everything reachable from self and oldSelf.
class SchemaSizes final : public cel_lib::Sizes {
 public:
  SchemaSizes(const Node& self, bool is_resource) : self_(self), is_resource_(is_resource) {}
  std::optional<cel_lib::SizeRange> of(std::span<const std::string> path) const override;

 private:
  const Node& self_;
  bool is_resource_;
};

}  // namespace portico::schema::internal
