// CEL as the templates of sets use it: which variables there are and what objects show. The only
// file that knows module cel.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "cel/activation.h"
#include "cel/env.h"
#include "json/value.h"

namespace portico::variants {

/// What an expression may see of an object: name, namespace, labels and annotations (seed 000: the
/// rest could leak what the set's author may not read).
cel::Value visible(const json::Value& object);

/// The variables of one target. `repository` has no value until it is set, so that repoExpr, which
/// finds the repository, cannot ask for it.
class Bindings {
 public:
  Bindings(std::string_view repo_default, std::string_view package_default, cel::Value upstream);

  void set_target(cel::Value target) { variables_.set("target", std::move(target)); }
  /// The target of a plain list: {repo, package}, the same as the defaults.
  void set_target(std::string_view repo, std::string_view package);
  void set_repository(cel::Value repository) {
    variables_.set("repository", std::move(repository));
  }

 private:
  friend class Expression;
  cel::Variables variables_;
};

/// A compiled expression that gives a string. Safe from any thread.
class Expression {
 public:
  /// kInvalid where it fails, costs more than the limit, or gives something else than a string.
  Result<std::string> evaluate(const Bindings& bindings) const;
  const std::string& source() const { return program_.source(); }

 private:
  friend class ExpressionLanguage;
  explicit Expression(cel::Program program) : program_(std::move(program)) {}
  cel::Program program_;
};

/// cel_lib::template_env, made once for many expressions: variables repoDefault and packageDefault
/// (strings), upstream, target and repository (dynamic), and the libraries that Kubernetes has.
/// Safe from any thread.
class ExpressionLanguage {
 public:
  static Result<ExpressionLanguage> make();

  /// kInvalid with line and column.
  Result<Expression> compile(std::string_view source) const;
  /// All that is wrong with `source`, with the line and a caret for each; "" where nothing is.
  std::string diagnose(std::string_view source) const;

 private:
  explicit ExpressionLanguage(cel::Env env) : env_(std::move(env)) {}
  cel::Env env_;
};

}  // namespace portico::variants
