// CEL for the templates of sets: the variables and the visible fields of objects. The only file
// that uses module cel.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "cel/activation.h"
#include "cel/env.h"
#include "json/value.h"

namespace portico::variants {

/// The part of an object that expressions may read: name, namespace, labels and annotations (seed
/// 000: other fields could leak what the author of the set may not read).
cel::Value visible(const json::Value& object);

/// The variables of one target. `repository` has no value until it is set, so repoExpr, which
/// determines the repository, cannot use it.
class Bindings {
 public:
  Bindings(std::string_view repo_default, std::string_view package_default, cel::Value upstream);

  void set_target(cel::Value target) { variables_.set("target", std::move(target)); }
  /// For a target from a plain list: {repo, package}, the same as the defaults.
  void set_target(std::string_view repo, std::string_view package);
  void set_repository(cel::Value repository) {
    variables_.set("repository", std::move(repository));
  }

 private:
  friend class Expression;
  cel::Variables variables_;
};

/// A compiled expression that yields a string. Thread-safe.
class Expression {
 public:
  /// kInvalid if evaluation fails, exceeds the cost limit, or yields something other than a string.
  Result<std::string> evaluate(const Bindings& bindings) const;
  const std::string& source() const { return program_.source(); }

 private:
  friend class ExpressionLanguage;
  explicit Expression(cel::Program program) : program_(std::move(program)) {}
  cel::Program program_;
};

/// cel_lib::template_env, made once for many expressions: variables repoDefault and packageDefault
/// (strings), upstream, target and repository (dynamic), and the CEL libraries of Kubernetes.
/// Thread-safe.
class ExpressionLanguage {
 public:
  static Result<ExpressionLanguage> make();

  /// kInvalid with line and column.
  Result<Expression> compile(std::string_view source) const;
  /// All errors in `source`, each with its line and a caret; "" if there are none.
  std::string diagnose(std::string_view source) const;

 private:
  explicit ExpressionLanguage(cel::Env env) : env_(std::move(env)) {}
  cel::Env env_;
};

}  // namespace portico::variants
