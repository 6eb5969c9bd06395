// Validation of a definition's rules, and estimates of their cost.
#include <algorithm>

#include "json/text.h"
#include "schema/causes.h"
#include "schema/internal/rule_tree.h"
#include "schema/internal/rule_types.h"
#include "schema/rules.h"

namespace portico::schema {
namespace {

using cel_lib::kUnbounded;
using internal::CompiledRule;

constexpr std::uint64_t kCostOfRule = 10'000'000;
constexpr std::uint64_t kCostOfSchema = 100'000'000;
constexpr std::size_t kMostNamed = 4;  // of the rules that together cost too much

std::uint64_t times(std::uint64_t a, std::uint64_t b) {
  std::uint64_t out = 0;
  return __builtin_mul_overflow(a, b, &out) ? kUnbounded : out;
}

std::string too_expensive(std::string_view what, std::uint64_t cost, std::uint64_t limit) {
  const double factor = static_cast<double>(cost) / static_cast<double>(limit);
  std::string times_over = fmt::format("{:.1f}x", factor);
  if (factor > 100) times_over = "more than 100x";
  if (factor < 1.5) times_over = fmt::format("{:f}x", factor);
  return fmt::format(
      "{} exceeds budget by factor of {} (try simplifying the rule, or adding maxItems, "
      "maxProperties, and maxLength where arrays, maps, and strings are declared)",
      what, times_over);
}

/// A rule as Kubernetes shows it in errors.
std::string shown(const Rule& rule) {
  const auto text = [](const std::string& each) { return json::print(json::Value(each)); };
  return fmt::format(
      R"({{"Rule":{},"Message":{},"MessageExpression":{},"Reason":{},"FieldPath":{},)"
      R"("OptionalOldSelf":{}}})",
      text(rule.rule), text(rule.message), text(rule.message_expression),
      rule.reason.empty() ? "null" : text(rule.reason), text(rule.field_path),
      rule.optional_old_self ? "true" : "null");
}

class Check {
 public:
  explicit Check(std::string_view path) : path_(path), root_(path) {}

  std::vector<Cause> run(const Schema& schema) {
    walk(*schema, true, 1);
    if (total_ > kCostOfSchema) {
      std::stable_sort(expensive_.begin(), expensive_.end(),
                       [](const auto& a, const auto& b) { return a.first > b.first; });
      for (std::size_t i = 0; i < std::min(kMostNamed, expensive_.size()); ++i)
        causes_.push_back(forbidden_value(
            expensive_[i].second,
            "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 "
            "schema"));
      causes_.push_back(forbidden_value(
          root_,
          too_expensive("x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 "
                        "schema",
                        total_, kCostOfSchema)));
    }
    return std::move(causes_);
  }

 private:
  void own(const Node& node, bool is_resource, std::uint64_t count);
  void rule(const Node& node, const CompiledRule& rule, bool is_resource, std::uint64_t count);
  void cost(std::string_view child, std::string_view what, std::uint64_t cost);
  void walk(const Node& node, bool is_resource, std::uint64_t count);

  std::string at(std::string_view child) {
    Path::Mark mark(path_);
    return path_.child(child).text();
  }
  void wrong(std::string_view child, const Rule& rule, std::string_view detail) {
    causes_.push_back({"FieldValueInvalid",
                       fmt::format("Invalid value: {}: {}", shown(rule), detail), at(child)});
  }

  Path path_;
  std::string root_;
  std::string forgetful_;  // the outermost list whose items cannot be correlated
  std::uint64_t total_ = 0;
  std::vector<std::pair<std::uint64_t, std::string>> expensive_;
  std::vector<Cause> causes_;
};

void Check::cost(std::string_view child, std::string_view what, std::uint64_t cost) {
  if (cost > kCostOfRule)
    causes_.push_back(forbidden_value(at(child), too_expensive(what, cost, kCostOfRule)));
  total_ = kUnbounded - total_ < cost ? kUnbounded : total_ + cost;
  if (cost >= kCostOfSchema / 100) expensive_.emplace_back(cost, at(child));
}

void Check::rule(const Node& node, const CompiledRule& compiled, bool is_resource,
                 std::uint64_t count) {
  const Rule& rule = *compiled.rule;
  const internal::SchemaSizes sizes(node, is_resource);
  if (compiled.program) {
    // An unbounded number of values is limited by what fits into a request.
    const std::uint64_t most =
        count == kUnbounded ? internal::kRequestBytes / (internal::least_bytes(node) + 1) : count;
    cost("rule", "estimated rule cost",
         times(cel_lib::kubernetes_cost(*compiled.program, sizes).most, most));
  } else {
    wrong("rule", rule, compiled.fault);
  }
  if (!compiled.message_fault.empty()) {
    wrong("messageExpression", rule, compiled.message_fault);
  } else if (compiled.message) {
    cost("messageExpression", "estimated messageExpression cost",
         cel_lib::kubernetes_cost(*compiled.message, sizes).most);
  }
  if (compiled.uses_old_self && !forgetful_.empty())
    causes_.push_back(invalid_value(
        at("rule"), rule.rule,
        fmt::format("oldSelf cannot be used on the uncorrelatable portion of the schema within {}",
                    forgetful_)));
  if (compiled.program && !compiled.uses_old_self && rule.optional_old_self)
    causes_.push_back(invalid_value(at("optionalOldSelf"), true,
                                    "may not be set if oldSelf is not used in rule"));
}

void Check::own(const Node& node, bool is_resource, std::uint64_t count) {
  const std::vector<CompiledRule> rules = internal::compile_own_rules(node, is_resource);
  for (std::size_t i = 0; i < rules.size(); ++i) {
    Path::Mark mark(path_);
    path_.child("x-kubernetes-validations").index(i);
    rule(node, rules[i], is_resource, count);
  }
}

void Check::walk(const Node& node, bool is_resource, std::uint64_t count) {
  if (!node.has_rules) return;
  is_resource = is_resource || node.embedded_resource;
  own(node, is_resource, count);
  const auto at_most = [&](const std::optional<std::int64_t>& most) {
    if (!most || count == kUnbounded) return kUnbounded;
    return times(count, *most < 0 ? 0 : static_cast<std::uint64_t>(*most));
  };
  for (const Property& property : node.properties) {
    Path::Mark mark(path_);
    path_.child("properties").key(property.name);
    walk(*property.schema, false, count);
  }
  if (node.additional) {
    Path::Mark mark(path_);
    path_.child("additionalProperties");
    walk(*node.additional, false, at_most(node.max_properties));
  }
  if (node.items) {
    const std::string outer = forgetful_;
    if (node.list_type != ListType::kMap && forgetful_.empty()) forgetful_ = path_.text();
    Path::Mark mark(path_);
    path_.child("items");
    walk(*node.items, false, at_most(node.max_items));
    forgetful_ = outer;
  }
}

}  // namespace

std::vector<Cause> rule_causes(const Schema& schema, std::string_view path) {
  return Check(path).run(schema);
}

}  // namespace portico::schema
