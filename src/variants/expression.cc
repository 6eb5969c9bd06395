#include "variants/expression.h"

#include <vector>

#include "cel/diagnostic.h"
#include "cel/value.h"
#include "cel_lib/template_env.h"

namespace portico::variants {

namespace {

/// A map of strings that reads the object only when an expression accesses it.
class StringsMap final : public cel::Map {
 public:
  explicit StringsMap(json::Value strings) : strings_(std::move(strings)) {}

  std::size_t size() const override { return strings_.size(); }
  std::optional<cel::Value> find(const cel::Value& key) const override {
    if (!key.is(cel::Kind::kString)) return std::nullopt;
    const json::Value* value = strings_.find(key.text());
    if (value == nullptr) return std::nullopt;
    return cel::Value::string(value->as_string());
  }
  std::vector<cel::Value> keys() const override {
    std::vector<cel::Value> keys;
    for (const json::Member& member : strings_.members())
      keys.push_back(cel::Value::string(member.name()));
    return keys;
  }

 private:
  json::Value strings_;  // an object, or null for no strings
};

class VisibleObject final : public cel::Map {
 public:
  explicit VisibleObject(json::Value metadata)
      : labels_(strings(metadata["labels"])),
        annotations_(strings(metadata["annotations"])),
        metadata_(std::move(metadata)) {}

  std::size_t size() const override { return std::size(kFields); }
  std::optional<cel::Value> find(const cel::Value& key) const override {
    if (!key.is(cel::Kind::kString)) return std::nullopt;
    const std::string_view field = key.text();
    if (field == "name" || field == "namespace")
      return cel::Value::string(metadata_[field].as_string());
    if (field == "labels") return labels_;
    if (field == "annotations") return annotations_;
    return std::nullopt;
  }
  std::vector<cel::Value> keys() const override {
    std::vector<cel::Value> keys;
    for (const std::string_view field : kFields) keys.push_back(cel::Value::string(field));
    return keys;
  }

 private:
  static cel::Value strings(const json::Value& of) {
    return cel::Value::map(cel::Ref<const cel::Map>(new StringsMap(of)));
  }

  static constexpr std::string_view kFields[] = {"annotations", "labels", "name", "namespace"};
  cel::Value labels_;  // views: no string is read before an expression accesses it
  cel::Value annotations_;
  json::Value metadata_;
};

}  // namespace

cel::Value visible(const json::Value& object) {
  return cel::Value::map(cel::Ref<const cel::Map>(new VisibleObject(object["metadata"])));
}

Bindings::Bindings(std::string_view repo_default, std::string_view package_default,
                   cel::Value upstream) {
  variables_.set("repoDefault", cel::Value::string(repo_default));
  variables_.set("packageDefault", cel::Value::string(package_default));
  variables_.set("upstream", std::move(upstream));
}

void Bindings::set_target(std::string_view repo, std::string_view package) {
  set_target(cel::Value::map({{cel::Value::string("repo"), cel::Value::string(repo)},
                              {cel::Value::string("package"), cel::Value::string(package)}}));
}

Result<std::string> Expression::evaluate(const Bindings& bindings) const {
  PORTICO_TRY(const cel::Value value, program_.evaluate(bindings.variables_));
  if (!value.is(cel::Kind::kString))
    return invalid("must evaluate to a string, got {} {}", value.type_name(), cel::show(value));
  return std::string(value.text());
}

Result<ExpressionLanguage> ExpressionLanguage::make() {
  PORTICO_TRY(cel::Env env, cel_lib::template_env());
  return ExpressionLanguage(std::move(env));
}

Result<Expression> ExpressionLanguage::compile(std::string_view source) const {
  PORTICO_TRY(cel::Program program, env_.compile(source));
  return Expression(std::move(program));
}

std::string ExpressionLanguage::diagnose(std::string_view source) const {
  return cel::display(env_.check(source).issues, source);
}

}  // namespace portico::variants
