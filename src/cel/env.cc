#include "cel/env.h"

#include <fmt/format.h>

#include "cel/internal/checker.h"
#include "cel/internal/language.h"
#include "cel/internal/parser.h"
#include "cel/internal/planner.h"
#include "cel/internal/wellknown.h"

namespace portico::cel {
namespace {

// Whether a call could match both, so that neither could be chosen.
bool collide(const Overload& a, const Overload& b) {
  return a.member == b.member && a.params == b.params;
}

void add_types(internal::Language& to) {
  for (const TypeKind kind : {TypeKind::kBool, TypeKind::kInt, TypeKind::kUint, TypeKind::kDouble,
                              TypeKind::kString, TypeKind::kBytes, TypeKind::kNull,
                              TypeKind::kTimestamp, TypeKind::kDuration, TypeKind::kType})
    to.types.emplace(Type(kind).runtime_name(), kind);
  to.types.emplace("list", Type::list(Type()));
  to.types.emplace("map", Type::map(Type(), Type()));
  to.constants.emplace("google.protobuf.NullValue.NULL_VALUE", Value(std::int64_t{0}));
}

}  // namespace

EnvBuilder::EnvBuilder() : language_(std::make_shared<internal::Language>()) {
  add_types(*language_);
  for (Macro& macro : internal::standard_macros())
    language_->macros[macro.name].push_back(std::move(macro));
}

EnvBuilder& EnvBuilder::add(Library library) {
  for (Function& each : library.functions)
    for (Overload& overload : each.overloads) function(each.name, std::move(overload));
  for (Macro& macro : library.macros) language_->macros[macro.name].push_back(std::move(macro));
  for (auto& [name, type] : library.types) language_->types.insert_or_assign(name, type);
  for (auto& [name, validator] : library.validators) language_->validators.emplace(name, validator);
  language_->mixed_literals.merge(library.mixed_literals);
  language_->optional_syntax = language_->optional_syntax || library.optional_syntax;
  return *this;
}

EnvBuilder& EnvBuilder::variable(std::string name, const Type& type) {
  language_->variables.insert_or_assign(std::move(name), internal::canonical(type));
  return *this;
}

EnvBuilder& EnvBuilder::structure(std::string name,
                                  std::map<std::string, Type, std::less<>> fields) {
  for (auto& [field, type] : fields) type = internal::canonical(type);
  language_->structures.insert_or_assign(std::move(name), std::move(fields));
  return *this;
}

EnvBuilder& EnvBuilder::function(std::string name, Overload overload) {
  for (Type& param : overload.params) param = internal::canonical(param);
  overload.result = internal::canonical(overload.result);
  Function& to = language_->functions[name];
  to.name = name;
  for (Overload& other : to.overloads) {
    if (!collide(other, overload)) continue;
    if (other.id != overload.id)
      problems_.push_back(fmt::format("overload '{}' of function '{}' collides with '{}'",
                                      overload.id, name, other.id));
    other = std::move(overload);
    return *this;
  }
  to.overloads.push_back(std::move(overload));
  return *this;
}

EnvBuilder& EnvBuilder::options(Options options) {
  language_->options = std::move(options);
  return *this;
}

Result<Env> EnvBuilder::build() const {
  if (!problems_.empty()) return invalid("{}", problems_.front());
  auto language = std::make_shared<internal::Language>(*language_);
  for (Function& function :
       internal::operator_declarations(language->options, language->optional_syntax))
    language->functions.insert_or_assign(function.name, std::move(function));
  return Env(std::move(language));
}

Result<Program> Env::compile(std::string_view source) const {
  internal::Parsed parsed = internal::parse(source, *language_);
  if (parsed.issues.empty() && language_->options.check)
    parsed.issues = internal::check(parsed.ast, *language_);
  if (!parsed.issues.empty()) return invalid("{}", one_line(parsed.issues.front(), source));
  auto code = std::make_shared<internal::Code>();
  code->language = language_;
  code->source = source;
  code->ast = std::move(parsed.ast);
  internal::plan(*code);
  return Program(std::move(code));
}

Checked Env::check(std::string_view source) const {
  internal::Parsed parsed = internal::parse(source, *language_);
  if (!parsed.issues.empty()) return {std::move(parsed.issues), Type(TypeKind::kError)};
  if (!language_->options.check) return {{}, Type()};
  std::vector<Issue> issues = internal::check(parsed.ast, *language_);
  return {std::move(issues), parsed.ast.root->type};
}

std::vector<Issue> Env::parse(std::string_view source) const {
  return internal::parse(source, *language_).issues;
}

}  // namespace portico::cel
