// Template + target -> the spec of a PackageVariant: static fields first, then expressions.
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

/// A MapExpr with its expressions compiled; the plain value where there is no expression.
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
  std::vector<CompiledMap> validators, mutators;          // their configMaps
};

/// All expressions of a set, compiled once for its generation. Safe from any thread.
struct CompiledSet {
  std::vector<std::optional<CompiledTemplate>> templates;  // as many as spec.targets
};

/// kInvalid for all expressions that do not compile (api/refusal.h), each with its path, line and
/// column: "spec.targets[1].template.labelExprs[0].keyExpr: 1:5: ...".
Result<CompiledSet> compile_set(const ExpressionLanguage& language,
                                const api::PackageVariantSetSpec& spec);

/// The set's side of every expansion.
struct ExpandContext {
  const api::Upstream* upstream = nullptr;  // spec.upstream; never null
  json::Value upstream_object;              // the PackageRevision it names
  /// A Repository of the set's namespace by name; null where there is none.
  std::function<const json::Value*(std::string_view name)> repository;
};

/// What came of one target. The key is known as soon as repository and package are, so that a later
/// error still tells which variant it concerns.
struct Expansion {
  std::optional<VariantKey> key;
  Result<api::PackageVariantSpec> spec;
};

/// The steps of seed 000 in their order: repoExpr, then the Repository is loaded, then all others.
/// Errors are kInvalid with the field as place ("template.labelExprs[0].keyExpr"), or kNotFound for
/// a Repository that is not there.
Expansion expand(const CompiledTemplate* tmpl, const SetTarget& target,
                 const ExpandContext& context);

/// `plain` with the entries of `exprs` laid over it. Errors have `field`[i] as place.
Result<api::StringMap> overlay(const api::StringMap& plain, const CompiledMap& exprs,
                               const Bindings& bindings, std::string_view field);

/// One list of MapExprs compiled; errors have `field`[i] in their paths.
Result<CompiledMap> compile_map(const ExpressionLanguage& language,
                                const std::vector<api::MapExpr>& exprs, std::string_view field);

}  // namespace portico::variants
