#include "schema/internal/rule_tree.h"

#include <algorithm>

#include "cel/diagnostic.h"
#include "cel_lib/libraries.h"
#include "schema/internal/rule_path.h"
#include "schema/internal/rule_types.h"

namespace portico::schema::internal {
namespace {

/// The expression language of rules in Kubernetes 1.34.
cel::EnvBuilder language() {
  cel::Options options;
  options.homogeneous_literals = true;
  options.cross_type_comparisons = true;
  cel::EnvBuilder builder;
  builder.options(std::move(options));
  builder.add(cel_lib::standard()).add(cel_lib::optionals()).add(cel_lib::strings(2));
  builder.add(cel_lib::sets()).add(cel_lib::two_variable_comprehensions());
  builder.add(cel_lib::kubernetes::urls()).add(cel_lib::kubernetes::regex());
  builder.add(cel_lib::kubernetes::lists()).add(cel_lib::kubernetes::quantity());
  builder.add(cel_lib::kubernetes::ip()).add(cel_lib::kubernetes::cidr());
  builder.add(cel_lib::kubernetes::format()).add(cel_lib::kubernetes::semver());
  builder.add(cel_lib::literal_checks());
  return builder;
}

bool names(const cel::Expr& expr, std::string_view variable) {
  if (expr.kind == cel::ExprKind::kIdent && expr.name == variable) return true;
  if (expr.target != nullptr && names(*expr.target, variable)) return true;
  return std::any_of(expr.args.begin(), expr.args.end(),
                     [&](const cel::Expr* arg) { return arg != nullptr && names(*arg, variable); });
}

std::optional<cel::Program> compile(const cel::Env& env, const std::string& source,
                                    cel::TypeKind wanted, std::string_view refusal,
                                    std::string& fault) {
  auto program = env.compile(source);
  if (!program) {
    fault = "compilation failed: " + cel::display(env.check(source).issues, source);
    while (!fault.empty() && fault.back() == '\n') fault.pop_back();
    return std::nullopt;
  }
  const cel::Type& type = program->type();
  if (!type.is(wanted) && !type.is_dyn()) {
    fault = refusal;
    return std::nullopt;
  }
  return *std::move(program);
}

CompiledRule compile_rule(const Rule& rule, const cel::Env& env, const Node& node) {
  CompiledRule out;
  out.rule = &rule;
  out.program = compile(env, rule.rule, cel::TypeKind::kBool,
                        "cel expression must evaluate to a bool", out.fault);
  if (out.program) out.uses_old_self = names(out.program->root(), "oldSelf");
  if (!rule.message_expression.empty())
    out.message = compile(env, rule.message_expression, cel::TypeKind::kString,
                          "messageExpression must evaluate to a string", out.message_fault);
  if (!rule.field_path.empty())
    out.field = normalized_rule_path(rule.field_path, node).value_or("");
  return out;
}

}  // namespace

std::vector<CompiledRule> compile_own_rules(const Node& node, bool is_resource) {
  std::vector<CompiledRule> out;
  if (node.rules.empty()) return out;
  const auto env_for = [&](bool optional_old) {
    cel::EnvBuilder builder = language();
    const cel::Type self = rule_type(node, "self", is_resource, builder).value_or(cel::Type());
    builder.variable("self", self);
    builder.variable("oldSelf", optional_old ? cel::Type::optional(self) : self);
    return builder.build();
  };
  std::optional<Result<cel::Env>> plain, optional;
  for (const Rule& rule : node.rules) {
    auto& env = rule.optional_old_self ? optional : plain;
    if (!env) env = env_for(rule.optional_old_self);
    if (*env) {
      out.push_back(compile_rule(rule, **env, node));
    } else {
      CompiledRule& broken = out.emplace_back();
      broken.rule = &rule;
      broken.fault = env->error().what;
    }
  }
  return out;
}

RuleTree compile_rules(const Schema& schema, bool is_resource) {
  RuleTree out;
  out.schema = schema;
  out.is_resource = is_resource || schema->embedded_resource;
  out.rules = compile_own_rules(*schema, out.is_resource);
  const auto below = [](const Schema& each) {
    return each && each->has_rules ? std::make_unique<const RuleTree>(compile_rules(each, false))
                                   : nullptr;
  };
  for (const Property& property : schema->properties)
    if (property.schema->has_rules)
      out.properties.emplace_back(property.name, below(property.schema));
  out.items = below(schema->items);
  out.additional = below(schema->additional);
  return out;
}

}  // namespace portico::schema::internal
