// Expands a template and a target into the spec of a PackageVariant: static fields first, then
// expressions.
#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "api/package_variant_set.h"
#include "base/result.h"
#include "variants/expression.h"
#include "variants/targets.h"
#include "variants/variant_key.h"

namespace portico::variants {

/// A MapExpr with compiled expressions; a plain value if it has no expression.
struct CompiledEntry {
  std::string key, value;
  std::optional<Expression> key_expr, value_expr;
};
using CompiledMap = std::vector<CompiledEntry>;

struct CompiledTemplate {
  api::VariantTemplate source;
  std::optional<Expression> repo_expr, package_expr;
  CompiledMap labels, annotations, context_data;
  std::vector<Expression> remove_keys;
  std::vector<std::optional<Expression>> injector_names;  // as many as source.injectors
  std::vector<CompiledMap> validators, mutators;          // for their configMaps
};

/// All expressions of a set, compiled once per generation. Thread-safe.
struct CompiledSet {
  std::vector<std::optional<CompiledTemplate>> templates;  // as many as spec.targets
};

/// kInvalid with all expressions that do not compile (api/refusal.h), each with path, line and
/// column: "spec.targets[1].template.labelExprs[0].keyExpr: 1:5: ...".
Result<CompiledSet> compile_set(const ExpressionLanguage& language,
                                const api::PackageVariantSetSpec& spec);

/// The inputs that all expansions of a set share.
struct ExpandContext {
  const api::Upstream* upstream = nullptr;  // spec.upstream; never null
  json::Value upstream_object;              // the PackageRevision it names
  /// Finds a Repository of the set's namespace by name; null if there is none.
  std::function<const json::Value*(std::string_view name)> repository;
};

/// The result for one target. The key is set as soon as repository and package are known, so that a
/// later error still shows which variant it concerns.
struct Expansion {
  std::optional<VariantKey> key;
  Result<api::PackageVariantSpec> spec;
};

/// Follows the order of seed 000: repoExpr, then the Repository is looked up, then all other
/// expressions. Errors are kInvalid, located by field ("template.labelExprs[0].keyExpr"), or
/// kNotFound for a Repository that does not exist.
Expansion expand(const CompiledTemplate* tmpl, const SetTarget& target,
                 const ExpandContext& context);

/// `plain`, overridden by the entries of `exprs`. Errors are located by `field`[i].
Result<api::StringMap> overlay(const api::StringMap& plain, const CompiledMap& exprs,
                               const Bindings& bindings, std::string_view field);

/// Compiles a list of MapExprs; error paths contain `field`[i].
Result<CompiledMap> compile_map(const ExpressionLanguage& language,
                                const std::vector<api::MapExpr>& exprs, std::string_view field);

}  // namespace portico::variants
