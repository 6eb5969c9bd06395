#include "variants/expand.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace portico::variants {

namespace {

/// Nothing where there is no expression; an empty one counts as none.
Result<std::optional<Expression>> compile_one(const ExpressionLanguage& language,
                                              const std::optional<std::string>& source,
                                              std::string place) {
  if (!source || source->empty()) return std::optional<Expression>();
  PORTICO_TRY(Expression expression, language.compile(*source), std::move(place));
  return std::optional<Expression>(std::move(expression));
}

Result<std::vector<CompiledMap>> compile_functions(
    const ExpressionLanguage& language, const std::vector<api::FunctionTemplate>& functions,
    std::string_view field) {
  std::vector<CompiledMap> out;
  for (std::size_t i = 0; i < functions.size(); ++i) {
    PORTICO_TRY(CompiledMap map, compile_map(language, functions[i].config_map_exprs,
                                             fmt::format("{}[{}].configMapExprs", field, i)));
    out.push_back(std::move(map));
  }
  return out;
}

Result<CompiledTemplate> compile_template(const ExpressionLanguage& language,
                                          const api::VariantTemplate& source) {
  CompiledTemplate out;
  out.source = source;
  if (source.downstream) {
    PORTICO_TRY(out.repo_expr, compile_one(language, source.downstream->repo_expr,
                                           "template.downstream.repoExpr"));
    PORTICO_TRY(out.package_expr, compile_one(language, source.downstream->package_expr,
                                              "template.downstream.packageExpr"));
  }
  PORTICO_TRY(out.labels, compile_map(language, source.label_exprs, "template.labelExprs"));
  PORTICO_TRY(out.annotations,
              compile_map(language, source.annotation_exprs, "template.annotationExprs"));
  if (source.package_context) {
    const api::PackageContextTemplate& context = *source.package_context;
    PORTICO_TRY(out.context_data,
                compile_map(language, context.data_exprs, "template.packageContext.dataExprs"));
    for (std::size_t i = 0; i < context.remove_key_exprs.size(); ++i) {
      PORTICO_TRY(Expression key, language.compile(context.remove_key_exprs[i]),
                  fmt::format("template.packageContext.removeKeyExprs[{}]", i));
      out.remove_keys.push_back(std::move(key));
    }
  }
  for (std::size_t i = 0; i < source.injectors.size(); ++i) {
    PORTICO_TRY(auto name, compile_one(language, source.injectors[i].name_expr,
                                       fmt::format("template.injectors[{}].nameExpr", i)));
    out.injector_names.push_back(std::move(name));
  }
  if (source.pipeline) {
    PORTICO_TRY(out.validators, compile_functions(language, source.pipeline->validators,
                                                  "template.pipeline.validators"));
    PORTICO_TRY(out.mutators, compile_functions(language, source.pipeline->mutators,
                                                "template.pipeline.mutators"));
  }
  return out;
}

Result<std::vector<std::string>> remove_keys(const CompiledTemplate& tmpl,
                                             const Bindings& bindings) {
  const api::PackageContextTemplate& context = *tmpl.source.package_context;
  std::set<std::string> keys(context.remove_keys.begin(), context.remove_keys.end());
  for (std::size_t i = 0; i < tmpl.remove_keys.size(); ++i) {
    PORTICO_TRY(std::string key, tmpl.remove_keys[i].evaluate(bindings),
                fmt::format("template.packageContext.removeKeyExprs[{}]", i));
    keys.insert(std::move(key));
  }
  return std::vector<std::string>(keys.begin(), keys.end());
}

Result<std::vector<api::Function>> expand_functions(
    const std::vector<api::FunctionTemplate>& functions, const std::vector<CompiledMap>& maps,
    const Bindings& bindings, std::string_view field) {
  std::vector<api::Function> out;
  for (std::size_t i = 0; i < functions.size(); ++i) {
    api::Function function = functions[i].function;
    PORTICO_TRY(function.config_map, overlay(function.config_map, maps[i], bindings,
                                             fmt::format("{}[{}].configMapExprs", field, i)));
    out.push_back(std::move(function));
  }
  return out;
}

Error no_repository(const std::string& name) {
  return not_found("repository \"{}\" could not be loaded", name);
}

/// One expansion, step by step.
class Expander {
 public:
  Expander(const CompiledTemplate& tmpl, const SetTarget& target, const ExpandContext& context)
      : tmpl_(tmpl),
        target_(target),
        context_(context),
        bindings_(target.repo_default, target.package_default, visible(context.upstream_object)) {
    if (target.object.is_null()) {
      bindings_.set_target(target.repo_default, target.package_default);
    } else {
      bindings_.set_target(visible(target.object));
    }
    spec_.upstream = *context.upstream;
  }

  Expansion run() && {
    Result<Done> done = locate();
    if (done) done = fill();
    if (!done) return {std::move(key_), std::move(done).error()};
    return {std::move(key_), std::move(spec_)};
  }

 private:
  /// Repository and package, with the repository bound for what follows. The key is known once both
  /// are, which may be before an error.
  Result<Done> locate() {
    VariantKey key{target_.repo_default, target_.package_default};
    const auto& downstream = tmpl_.source.downstream;
    if (downstream && downstream->repo && !downstream->repo->empty()) key.repo = *downstream->repo;
    if (downstream && downstream->package && !downstream->package->empty())
      key.package = *downstream->package;
    if (tmpl_.repo_expr) {
      PORTICO_TRY(key.repo, tmpl_.repo_expr->evaluate(bindings_), "template.downstream.repoExpr");
    }
    if (!tmpl_.package_expr) key_ = key;
    const json::Value* repository = context_.repository(key.repo);
    if (repository == nullptr) return no_repository(key.repo);
    bindings_.set_repository(visible(*repository));
    if (tmpl_.package_expr) {
      PORTICO_TRY(key.package, tmpl_.package_expr->evaluate(bindings_),
                  "template.downstream.packageExpr");
      key_ = key;
    }
    spec_.downstream = api::Downstream{key.repo, key.package};
    return Done{};
  }

  /// All that comes after repository and package.
  Result<Done> fill() {
    const api::VariantTemplate& source = tmpl_.source;
    spec_.adoption_policy = source.adoption_policy.value_or("");
    spec_.deletion_policy = source.deletion_policy.value_or("");
    spec_.upgrade_strategy = source.upgrade_strategy.value_or("");
    spec_.on_conflict = source.on_conflict.value_or("");
    PORTICO_TRY(spec_.labels,
                overlay(source.labels, tmpl_.labels, bindings_, "template.labelExprs"));
    PORTICO_TRY(spec_.annotations, overlay(source.annotations, tmpl_.annotations, bindings_,
                                           "template.annotationExprs"));
    if (source.package_context) {
      api::PackageContext& context = spec_.package_context.emplace();
      PORTICO_TRY(context.data, overlay(source.package_context->data, tmpl_.context_data, bindings_,
                                        "template.packageContext.dataExprs"));
      PORTICO_TRY(context.remove_keys, remove_keys(tmpl_, bindings_));
    }
    for (std::size_t i = 0; i < source.injectors.size(); ++i) {
      const api::InjectionSelectorTemplate& injector = source.injectors[i];
      std::string name = injector.name.value_or("");
      if (tmpl_.injector_names[i]) {
        PORTICO_TRY(name, tmpl_.injector_names[i]->evaluate(bindings_),
                    fmt::format("template.injectors[{}].nameExpr", i));
      }
      spec_.injectors.push_back({injector.group, injector.version, injector.kind, std::move(name)});
    }
    if (source.pipeline) {
      api::Pipeline pipeline;
      PORTICO_TRY(pipeline.validators,
                  expand_functions(source.pipeline->validators, tmpl_.validators, bindings_,
                                   "template.pipeline.validators"));
      PORTICO_TRY(pipeline.mutators, expand_functions(source.pipeline->mutators, tmpl_.mutators,
                                                      bindings_, "template.pipeline.mutators"));
      if (!pipeline.empty()) spec_.pipeline = std::move(pipeline);
    }
    return Done{};
  }

  const CompiledTemplate& tmpl_;
  const SetTarget& target_;
  const ExpandContext& context_;
  Bindings bindings_;
  std::optional<VariantKey> key_;
  api::PackageVariantSpec spec_;
};

}  // namespace

Result<CompiledMap> compile_map(const ExpressionLanguage& language,
                                const std::vector<api::MapExpr>& exprs, std::string_view field) {
  CompiledMap out;
  for (std::size_t i = 0; i < exprs.size(); ++i) {
    const api::MapExpr& expr = exprs[i];
    CompiledEntry entry{expr.key.value_or(""), expr.value.value_or(""), {}, {}};
    PORTICO_TRY(entry.key_expr,
                compile_one(language, expr.key_expr, fmt::format("{}[{}].keyExpr", field, i)));
    PORTICO_TRY(entry.value_expr,
                compile_one(language, expr.value_expr, fmt::format("{}[{}].valueExpr", field, i)));
    out.push_back(std::move(entry));
  }
  return out;
}

Result<api::StringMap> overlay(const api::StringMap& plain, const CompiledMap& exprs,
                               const Bindings& bindings, std::string_view field) {
  api::StringMap out = plain;
  for (std::size_t i = 0; i < exprs.size(); ++i) {
    const CompiledEntry& entry = exprs[i];
    std::string key = entry.key, value = entry.value;
    if (entry.key_expr) {
      PORTICO_TRY(key, entry.key_expr->evaluate(bindings), fmt::format("{}[{}].keyExpr", field, i));
    }
    if (entry.value_expr) {
      PORTICO_TRY(value, entry.value_expr->evaluate(bindings),
                  fmt::format("{}[{}].valueExpr", field, i));
    }
    out.insert_or_assign(std::move(key), std::move(value));
  }
  return out;
}

Result<CompiledSet> compile_set(const ExpressionLanguage& language,
                                const api::PackageVariantSetSpec& spec) {
  CompiledSet out;
  for (std::size_t i = 0; i < spec.targets.size(); ++i) {
    out.templates.emplace_back();
    if (!spec.targets[i].tmpl) continue;
    PORTICO_TRY(out.templates.back(), compile_template(language, *spec.targets[i].tmpl),
                fmt::format("spec.targets[{}]", i));
  }
  return out;
}

Expansion expand(const CompiledTemplate* tmpl, const SetTarget& target,
                 const ExpandContext& context) {
  if (tmpl != nullptr) return Expander(*tmpl, target, context).run();
  // Without a template nothing needs the Repository; the variant itself says where there is none.
  VariantKey key{target.repo_default, target.package_default};
  api::PackageVariantSpec spec;
  spec.upstream = *context.upstream;
  spec.downstream = api::Downstream{key.repo, key.package};
  return {std::move(key), std::move(spec)};
}

}  // namespace portico::variants
