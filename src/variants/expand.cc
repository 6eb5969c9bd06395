#include "variants/expand.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "api/refusal.h"

namespace portico::variants {

namespace {

/// Continues after an expression that does not compile, so that all errors are reported.
class Compiler {
 public:
  explicit Compiler(const ExpressionLanguage& language) : language_(language) {}

  /// nullopt if there is no expression; an empty one counts as none.
  std::optional<Expression> one(const std::optional<std::string>& source, const std::string& path) {
    if (!source || source->empty()) return std::nullopt;
    return required(*source, path);
  }

  std::optional<Expression> required(const std::string& source, const std::string& path) {
    auto compiled = language_.compile(source);
    if (compiled) return *std::move(compiled);
    wrong_.push_back({"FieldValueInvalid", std::move(compiled).error().in(path).text(), path});
    return std::nullopt;
  }

  CompiledMap map(const std::vector<api::MapExpr>& exprs, const std::string& path) {
    CompiledMap out;
    for (std::size_t i = 0; i < exprs.size(); ++i) {
      const api::MapExpr& expr = exprs[i];
      const std::string place = fmt::format("{}[{}]", path, i);
      out.push_back({expr.key.value_or(""), expr.value.value_or(""),
                     one(expr.key_expr, place + ".keyExpr"),
                     one(expr.value_expr, place + ".valueExpr")});
    }
    return out;
  }

  CompiledTemplate whole(const api::VariantTemplate& source, const std::string& path) {
    CompiledTemplate out;
    out.source = source;
    if (source.downstream) {
      out.repo_expr = one(source.downstream->repo_expr, path + ".downstream.repoExpr");
      out.package_expr = one(source.downstream->package_expr, path + ".downstream.packageExpr");
    }
    out.labels = map(source.label_exprs, path + ".labelExprs");
    out.annotations = map(source.annotation_exprs, path + ".annotationExprs");
    if (source.package_context) {
      const api::PackageContextTemplate& context = *source.package_context;
      out.context_data = map(context.data_exprs, path + ".packageContext.dataExprs");
      for (std::size_t i = 0; i < context.remove_key_exprs.size(); ++i)
        if (auto key = required(context.remove_key_exprs[i],
                                fmt::format("{}.packageContext.removeKeyExprs[{}]", path, i)))
          out.remove_keys.push_back(*std::move(key));
    }
    for (std::size_t i = 0; i < source.injectors.size(); ++i)
      out.injector_names.push_back(
          one(source.injectors[i].name_expr, fmt::format("{}.injectors[{}].nameExpr", path, i)));
    if (source.pipeline) {
      out.validators = functions(source.pipeline->validators, path + ".pipeline.validators");
      out.mutators = functions(source.pipeline->mutators, path + ".pipeline.mutators");
    }
    return out;
  }

  std::vector<Cause> wrong() && { return std::move(wrong_); }

 private:
  std::vector<CompiledMap> functions(const std::vector<api::FunctionTemplate>& functions,
                                     const std::string& path) {
    std::vector<CompiledMap> out;
    for (std::size_t i = 0; i < functions.size(); ++i)
      out.push_back(
          map(functions[i].config_map_exprs, fmt::format("{}[{}].configMapExprs", path, i)));
    return out;
  }

  const ExpressionLanguage& language_;
  std::vector<Cause> wrong_;
};

template <class T>
Result<T> unless_wrong(T compiled, Compiler compiler) {
  std::vector<Cause> wrong = std::move(compiler).wrong();
  if (!wrong.empty()) return api::refusal(std::move(wrong));
  return compiled;
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
  return not_found("repository \"{}\" is not registered", name);
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
  /// Determines repository and package, and binds the repository for the later expressions. The key
  /// is known once both are, possibly before an error.
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

  /// Everything besides repository and package.
  Result<Done> fill() {
    const api::VariantTemplate& source = tmpl_.source;
    spec_.adoption_policy = source.adoption_policy.value_or("");
    spec_.deletion_policy = source.deletion_policy.value_or("");
    spec_.upgrade_strategy = source.upgrade_strategy.value_or("");
    spec_.on_conflict = source.on_conflict.value_or("");
    spec_.approval = source.approval;
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
  Compiler compiler(language);
  CompiledMap out = compiler.map(exprs, std::string(field));
  return unless_wrong(std::move(out), std::move(compiler));
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
  Compiler compiler(language);
  const std::span<const api::Target> targets = spec.target_list();
  for (std::size_t i = 0; i < targets.size(); ++i) {
    out.templates.emplace_back();
    if (targets[i].tmpl)
      out.templates.back() =
          compiler.whole(*targets[i].tmpl, fmt::format("spec.targets[{}].template", i));
  }
  return unless_wrong(std::move(out), std::move(compiler));
}

Expansion expand(const CompiledTemplate* tmpl, const SetTarget& target,
                 const ExpandContext& context) {
  if (tmpl != nullptr) return Expander(*tmpl, target, context).run();
  VariantKey key{target.repo_default, target.package_default};
  if (context.repository(key.repo) == nullptr) {
    Error error = no_repository(key.repo);
    return {std::move(key), std::move(error)};
  }
  api::PackageVariantSpec spec;
  spec.upstream = *context.upstream;
  spec.downstream = api::Downstream{key.repo, key.package};
  return {std::move(key), std::move(spec)};
}

}  // namespace portico::variants
