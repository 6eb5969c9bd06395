#include "schema/rules.h"

#include <algorithm>

#include "cel/library.h"
#include "schema/causes.h"
#include "schema/internal/list_items.h"
#include "schema/internal/rule_tree.h"
#include "schema/internal/rule_values.h"

namespace portico::schema {
namespace {

using internal::CompiledRule;
using internal::RuleTree;
using json::Value;

constexpr std::uint64_t kCostOfRule = 1'000'000;     // of one evaluation
constexpr std::uint64_t kCostOfObject = 10'000'000;  // of all rules of one object
constexpr std::size_t kLongestMessage = 5120;

std::string trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n\v\f";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return "";
  return std::string(text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1));
}

/// The name of a rule in errors.
std::string name_of(const Rule& rule) {
  return trimmed(rule.message.empty() ? rule.rule : rule.message);
}

std::string message_of(const Rule& rule) {
  return rule.message.empty() ? "failed rule: " + name_of(rule) : trimmed(rule.message);
}

/// The variables self and oldSelf of one value.
class Bindings final : public cel::Activation {
 public:
  Bindings(const RuleTree& tree, const Value& self, const Value* old, bool optional)
      : self_(internal::rule_value(*tree.schema, self, tree.is_resource)) {
    if (old != nullptr) old_ = internal::rule_value(*tree.schema, *old, tree.is_resource);
    if (optional) old_ = old_ ? cel::Value::optional_of(*old_) : cel::Value::optional_none();
  }
  std::optional<cel::Value> find(std::string_view name) const override {
    if (name == "self") return self_;
    return name == "oldSelf" ? old_ : std::nullopt;
  }

 private:
  cel::Value self_;
  std::optional<cel::Value> old_;
};

class Evaluation {
 public:
  void walk(const RuleTree& tree, const Value& value, const Value* old);
  std::vector<Cause> take() { return std::move(causes_); }

 private:
  void own(const RuleTree& tree, const Value& value, const Value* old);
  void check(const RuleTree& tree, const CompiledRule& rule, const Value& value, const Value* old);
  std::string message(const CompiledRule& rule, const Bindings& bindings);
  void wrong(const RuleTree& tree, std::string_view detail) {
    causes_.push_back(invalid_value(path_.text(), name(tree.schema->type), detail));
  }
  void report(const RuleTree& tree, const CompiledRule& rule, const std::string& message);

  /// Evaluates within the limits of one evaluation and of the whole object.
  Result<cel::Value> evaluate(const cel::Program& program, const Bindings& bindings) {
    cel::Budget budget(std::min(kCostOfRule, left_));
    auto result = program.evaluate(bindings, budget);
    left_ -= budget.spent();
    over_ = budget.over();
    return result;
  }

  Path path_;
  std::uint64_t left_ = kCostOfObject;
  bool over_ = false;   // the last evaluation exceeded its limit
  bool ended_ = false;  // no further rules are evaluated
  std::vector<Cause> causes_;
};

void Evaluation::report(const RuleTree& tree, const CompiledRule& rule,
                        const std::string& message) {
  Path::Mark mark(path_);
  if (!rule.field.empty()) path_.child(rule.field);
  const std::string field = path_.text();
  const std::string& reason = rule.rule->reason;
  if (reason == "FieldValueForbidden") {
    causes_.push_back(forbidden_value(field, message));
  } else if (reason == "FieldValueRequired") {
    causes_.push_back(required_value(field, message));
  } else if (reason == "FieldValueDuplicate") {
    causes_.push_back(duplicate_value(field, name(tree.schema->type)));
  } else {
    causes_.push_back(invalid_value(field, name(tree.schema->type), message));
  }
}

std::string Evaluation::message(const CompiledRule& rule, const Bindings& bindings) {
  std::string plain = message_of(*rule.rule);
  if (!rule.message) return plain;
  const auto result = evaluate(*rule.message, bindings);
  if (!result || !result->is(cel::Kind::kString)) return plain;
  const std::string text = trimmed(result->text());
  const bool usable = !text.empty() && text.size() <= kLongestMessage &&
                      text.find_first_of("\r\n") == std::string::npos;
  return usable ? text : plain;
}

void Evaluation::check(const RuleTree& tree, const CompiledRule& rule, const Value& value,
                       const Value* old) {
  const std::string rule_name = name_of(*rule.rule);
  if (!rule.program) return wrong(tree, "rule compile error: " + rule.fault);
  const bool optional = rule.rule->optional_old_self;
  if (rule.uses_old_self && old == nullptr && !optional) return;
  const Bindings bindings(tree, value, old, optional);
  const auto result = evaluate(*rule.program, bindings);
  if (over_) {
    ended_ = true;
    const std::string detail =
        left_ == 0 ? "validation failed due to running out of cost budget, no further validation "
                     "rules will be run"
                   : fmt::format(
                         "'operation cancelled: actual cost limit exceeded': no further "
                         "validation rules will be run due to call cost exceeds limit for "
                         "rule: {}",
                         rule_name);
    return wrong(tree, detail);
  }
  if (!result) {
    // Kubernetes' message omits the position in the expression.
    const std::string& whole = result.error().what;
    const std::string what = whole.starts_with("no such overload")
                                 ? "no such overload"
                                 : whole.substr(0, whole.rfind(", at "));
    if (what == "no such overload")
      return wrong(tree, fmt::format("'{}': call arguments did not match a supported operator, "
                                     "function or macro signature for rule: {}",
                                     what, rule_name));
    return wrong(tree, fmt::format("{} evaluating rule: {}", what, rule_name));
  }
  if (result->is(cel::Kind::kBool) && result->as_bool()) return;
  // Violations that existed before are tolerated.
  if (!rule.uses_old_self && old != nullptr && *old == value) return;
  report(tree, rule, message(rule, bindings));
}

void Evaluation::own(const RuleTree& tree, const Value& value, const Value* old) {
  for (const CompiledRule& rule : tree.rules) {
    check(tree, rule, value, old);
    if (ended_) return;
  }
}

void Evaluation::walk(const RuleTree& tree, const Value& value, const Value* old) {
  if (value.is_null() || ended_) return;
  if (old != nullptr && old->is_null()) old = nullptr;
  own(tree, value, old);
  if (value.is_array() && tree.items) {
    const internal::ItemsByKey before(*tree.schema, old);
    for (std::size_t i = 0; i < value.size(); ++i) {
      Path::Mark mark(path_);
      path_.index(i);
      walk(*tree.items, value[i], before.find(value[i]));
    }
  }
  if (!value.is_object()) return;
  const auto find_old = [&](std::string_view name) {
    return old == nullptr ? nullptr : old->find(name);
  };
  for (const auto& [name, below] : tree.properties) {
    const Value* member = value.find(name);
    if (member == nullptr) continue;
    Path::Mark mark(path_);
    path_.child(name);
    walk(*below, *member, find_old(name));
  }
  if (!tree.additional) return;
  for (const json::Member& member : value.members()) {
    if (tree.schema->property(member.name()) != nullptr) continue;
    Path::Mark mark(path_);
    path_.key(member.name());
    walk(*tree.additional, member.value, find_old(member.name()));
  }
}

}  // namespace

Rules Rules::compile(const Schema& schema) {
  Rules out;
  if (schema->has_rules)
    out.tree_ = std::make_shared<const RuleTree>(internal::compile_rules(schema, true));
  return out;
}

std::vector<Cause> Rules::evaluate(const Value& object, const Value* old) const {
  if (tree_ == nullptr) return {};
  Evaluation evaluation;
  evaluation.walk(*tree_, object, old);
  return evaluation.take();
}

}  // namespace portico::schema
