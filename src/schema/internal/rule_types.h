// What the checker of expressions knows of a schema: types of values, and how large they can be.
#pragma once

#include <optional>
#include <string>

#include "cel/env.h"
#include "cel/type.h"
#include "cel_lib/cost.h"
#include "schema/schema.h"

namespace portico::schema::internal {

/// How large a request may be: no text, list or map can have more in it.
inline constexpr std::uint64_t kRequestBytes = 3 << 20;

/// The type of a value with this schema; nothing where it has none (what is kept unknown has no
/// type). Objects are declared in `builder` under `name` and the names of what is below them.
std::optional<cel::Type> rule_type(const Node& node, const std::string& name, bool is_resource,
                                   cel::EnvBuilder& builder);

/// How many bytes (of a text) or elements a value can have.
std::uint64_t most_elements(const Node& node);

/// How many bytes the smallest valid value has as JSON.
std::uint64_t least_bytes(const Node& node);

/// Sizes of what can be reached from self and oldSelf.
class SchemaSizes final : public cel_lib::Sizes {
 public:
  SchemaSizes(const Node& self, bool is_resource) : self_(self), is_resource_(is_resource) {}
  std::optional<cel_lib::SizeRange> of(std::span<const std::string> path) const override;

 private:
  const Node& self_;
  bool is_resource_;
};

}  // namespace portico::schema::internal
