// Compiled rules, next to their schemas.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cel/program.h"
#include "schema/schema.h"

namespace portico::schema::internal {

/// One compiled rule. If there is no program, `fault` says why.
struct CompiledRule {
  const Rule* rule = nullptr;  // in the schema
  std::optional<cel::Program> program, message;
  std::string fault, message_fault;  // "compilation failed: ERROR: ..."
  bool uses_old_self = false;
  std::string field;  // the normalized fieldPath
};

/// The rules of a schema and of the schemas below it; branches without rules are omitted.
struct RuleTree {
  Schema schema;
  bool is_resource = false;
  std::vector<CompiledRule> rules;
  std::vector<std::pair<std::string, std::unique_ptr<const RuleTree>>> properties;  // by name
  std::unique_ptr<const RuleTree> items, additional;
};

RuleTree compile_rules(const Schema& schema, bool is_resource);

/// Only the rules of this schema itself.
std::vector<CompiledRule> compile_own_rules(const Node& node, bool is_resource);

}  // namespace portico::schema::internal
