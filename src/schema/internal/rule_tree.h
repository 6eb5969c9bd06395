// Compiled rules beside the schemas they belong to.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cel/program.h"
#include "schema/schema.h"

namespace portico::schema::internal {

/// One rule, compiled once. `fault` says why there is no program.
struct CompiledRule {
  const Rule* rule = nullptr;  // in the schema
  std::optional<cel::Program> program, message;
  std::string fault, message_fault;  // "compilation failed: ERROR: ..."
  bool uses_old_self = false;
  std::string field;  // the normalized fieldPath
};

/// The rules of one schema and of what is below it; branches without rules are left out.
struct RuleTree {
  Schema schema;
  bool is_resource = false;
  std::vector<CompiledRule> rules;
  std::vector<std::pair<std::string, std::unique_ptr<const RuleTree>>> properties;  // by name
  std::unique_ptr<const RuleTree> items, additional;
};

RuleTree compile_rules(const Schema& schema, bool is_resource);

/// Those of one schema alone.
std::vector<CompiledRule> compile_own_rules(const Node& node, bool is_resource);

}  // namespace portico::schema::internal
