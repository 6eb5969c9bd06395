#include "schema/validate.h"

#include <re2/re2.h>

#include <algorithm>
#include <cmath>

#include "json/text.h"
#include "schema/causes.h"
#include "schema/internal/formats.h"
#include "schema/internal/list_items.h"

namespace portico::schema {
namespace {

using json::Member;
using json::Value;

bool is_whole(const Value& value) {
  if (!value.is_number()) return false;
  if (value.type() != Value::Type::kDouble) return value.is_int();
  // Beyond 2^53 a float64 does not represent every integer.
  const double number = value.as_double();
  return std::fabs(number) <= 9007199254740991.0 && number == std::trunc(number);
}

std::string_view type_name(const Value& value) {
  switch (value.type()) {
    case Value::Type::kNull:
      return "null";
    case Value::Type::kBool:
      return "boolean";
    case Value::Type::kInt:
      return "integer";
    case Value::Type::kUint:
    case Value::Type::kDouble:
      return "number";
    case Value::Type::kString:
      return "string";
    case Value::Type::kArray:
      return "array";
    case Value::Type::kObject:
      return "object";
  }
  return "";
}

bool has_type(const Value& value, const Node& node) {
  if (node.int_or_string) return value.is_string() || is_whole(value);
  switch (node.type) {
    case Type::kAny:
      return true;
    case Type::kObject:
      return value.is_object();
    case Type::kArray:
      return value.is_array();
    case Type::kString:
      return value.is_string();
    case Type::kInteger:
      return is_whole(value);
    case Type::kNumber:
      return value.is_number();
    case Type::kBoolean:
      return value.is_bool();
  }
  return false;
}

std::int64_t characters(std::string_view text) {
  return std::count_if(text.begin(), text.end(),
                       [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
}

bool equal(const Value& a, const Value& b) {
  if (a.is_number() && b.is_number()) return a.as_double() == b.as_double();
  return a == b;
}

bool is_multiple(double value, double of) {
  const double quotient = value / of;
  return std::fabs(quotient - std::nearbyint(quotient)) < 1e-9;
}

/// Walks a value along its schema. Each step returns a score of the checks made and passed: if all
/// alternatives fail, the one with the highest score is reported.
class Checker {
 public:
  explicit Checker(std::string_view path) : path_(path) {}

  int check(const Node& node, const Value& value, const Value* old);
  std::vector<Cause> take() { return std::move(causes_); }

 private:
  std::string in_body(std::string_view what) const {
    return fmt::format("{} in body {}", path_.raw(), what);
  }
  void add(Cause cause) { causes_.push_back(std::move(cause)); }
  void wrong(const Value& value, std::string_view what) {
    add(invalid_value(path_.text(), value, in_body(what)));
  }
  /// Reports the alternatives as a whole; Kubernetes leaves the field empty and quotes it.
  void alternatives_fail(std::string_view what) {
    add(invalid_value("<nil>", "", fmt::format("{} must {}", go_quoted(path_.raw()), what)));
  }

  bool check_type(const Node& node, const Value& value);
  void check_enum(const Node& node, const Value& value);
  int check_text(const Node& node, std::string_view text);
  void check_number(const Node& node, const Value& value);
  int check_list(const Node& node, const Value& value, const Value* old);
  int check_object(const Node& node, const Value& value, const Value* old);
  int check_alternatives(const Node& node, const Value& value, const Value* old);
  int check_any(const std::vector<Schema>& schemas, const Value& value, const Value* old);
  int check_one(const std::vector<Schema>& schemas, const Value& value, const Value* old);
  int check_all(const std::vector<Schema>& schemas, const Value& value, const Value* old);

  /// The causes of one alternative, removed from causes_.
  struct Attempt {
    int passed = 0;
    std::vector<Cause> causes;
  };
  Attempt attempt(const Node& node, const Value& value, const Value* old) {
    std::vector<Cause> outer = std::move(causes_);
    causes_.clear();
    Attempt out;
    out.passed = check(node, value, old);
    out.causes = std::move(causes_);
    causes_ = std::move(outer);
    return out;
  }
  void keep(Attempt&& attempt) {
    for (Cause& cause : attempt.causes) add(std::move(cause));
  }

  Path path_;
  std::vector<Cause> causes_;
};

bool Checker::check_type(const Node& node, const Value& value) {
  if (value.is_null() && node.nullable) return true;
  if (has_type(value, node)) return true;
  // A format replaces the type name, and the value is described by its own format.
  const bool format = internal::is_checked_format(node.format) && !value.is_null();
  const std::string wanted = node.int_or_string ? "integer,string"
                             : format           ? node.format
                                                : std::string(name(node.type));
  const std::string_view found = !format             ? type_name(value)
                                 : value.is_int()    ? "int64"
                                 : value.is_number() ? "double"
                                                     : "";
  add(wrong_type(path_.text(), found,
                 in_body(fmt::format("must be of type {}: {}", wanted, go_quoted(found)))));
  return false;
}

void Checker::check_enum(const Node& node, const Value& value) {
  if (node.values.empty()) return;
  if (std::any_of(node.values.begin(), node.values.end(),
                  [&](const Value& each) { return equal(each, value); }))
    return;
  std::vector<std::string> supported;
  for (const Value& each : node.values)
    supported.push_back(each.is_string() ? std::string(each.as_string()) : json::print(each));
  add(unsupported_value(path_.text(), value, supported));
}

int Checker::check_text(const Node& node, std::string_view text) {
  const auto length = node.max_length || node.min_length ? characters(text) : 0;
  if (node.max_length && length > *node.max_length) {
    add(too_long(path_.text(), *node.max_length));
  } else if (node.min_length && length < *node.min_length) {
    wrong(text, fmt::format("should be at least {} chars long", *node.min_length));
  } else if (node.regex != nullptr &&
             !re2::RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), *node.regex)) {
    wrong(text, fmt::format("should match '{}'", node.pattern));
  }
  if (node.format.empty() || !internal::is_checked_format(node.format)) return 1;
  if (!internal::has_format(text, node.format))
    add(wrong_type(path_.text(), text,
                   in_body(fmt::format("must be of type {}: {}", node.format, go_quoted(text)))));
  return 2;
}

void Checker::check_number(const Node& node, const Value& value) {
  const double number = value.as_double();
  if (node.multiple_of) {
    if (*node.multiple_of <= 0) {
      wrong(*node.multiple_of, "factor MultipleOf must be positive");
    } else if (!is_multiple(number, *node.multiple_of)) {
      wrong(value, fmt::format("should be a multiple of {}", go_number(*node.multiple_of)));
    }
  }
  if (node.minimum && (node.exclusive_minimum ? number <= *node.minimum : number < *node.minimum))
    wrong(value,
          fmt::format("should be greater than {}{}", node.exclusive_minimum ? "" : "or equal to ",
                      go_number(*node.minimum)));
  if (node.maximum && (node.exclusive_maximum ? number >= *node.maximum : number > *node.maximum))
    wrong(value,
          fmt::format("should be less than {}{}", node.exclusive_maximum ? "" : "or equal to ",
                      go_number(*node.maximum)));
}

int Checker::check_list(const Node& node, const Value& value, const Value* old) {
  int passed = 1;
  const internal::ItemsByKey before(node, old);
  if (node.items) {
    for (std::size_t i = 0; i < value.size(); ++i) {
      Path::Mark mark(path_);
      path_.index(i);
      passed += check(*node.items, value[i], before.find(value[i]));
    }
  }
  const auto size = static_cast<std::int64_t>(value.size());
  if (node.min_items && size < *node.min_items)
    wrong(size, fmt::format("should have at least {} items", *node.min_items));
  if (node.max_items && size > *node.max_items) add(too_many(path_.text(), size, *node.max_items));
  return passed;
}

int Checker::check_object(const Node& node, const Value& value, const Value* old) {
  const auto size = static_cast<std::int64_t>(value.size());
  if (node.min_properties && size < *node.min_properties) {
    wrong(size, fmt::format("should have at least {} properties", *node.min_properties));
    return 0;
  }
  if (node.max_properties && size > *node.max_properties) {
    add(too_many(path_.text(), size, *node.max_properties));
    return 0;
  }
  int passed = 0;
  for (const Member& member : value.members()) {
    const Node* schema = node.member(member.name());
    if (schema == nullptr) {
      if (!node.additional_allowed)
        wrong(member.name(), fmt::format("has a forbidden property {}", member.name()));
      continue;
    }
    Path::Mark mark(path_);
    path_.child(member.name());
    passed += check(*schema, member.value, old == nullptr ? nullptr : old->find(member.name()));
  }
  for (const std::string& name : node.required) {
    if (value.contains(name)) continue;
    Path::Mark mark(path_);
    add(required_value(path_.child(name).text()));
  }
  return passed;
}

int Checker::check_any(const std::vector<Schema>& schemas, const Value& value, const Value* old) {
  Attempt best;
  for (std::size_t i = 0; i < schemas.size(); ++i) {
    Attempt one = attempt(*schemas[i], value, old);
    if (one.causes.empty()) return one.passed;
    if (i == 0 || one.passed > best.passed) best = std::move(one);
  }
  alternatives_fail("validate at least one schema (anyOf)");
  const int passed = best.passed;
  keep(std::move(best));
  return passed;
}

int Checker::check_one(const std::vector<Schema>& schemas, const Value& value, const Value* old) {
  Attempt best;
  int valid = 0, passed = 0;
  for (std::size_t i = 0; i < schemas.size(); ++i) {
    Attempt one = attempt(*schemas[i], value, old);
    if (one.causes.empty()) {
      if (valid++ == 0) passed = one.passed;
    } else if (valid == 0 && (i == 0 || one.passed > best.passed)) {
      best = std::move(one);
    }
  }
  if (valid == 1) return passed;
  alternatives_fail("validate one and only one schema (oneOf). " +
                    (valid == 0 ? std::string("Found none valid")
                                : fmt::format("Found {} valid alternatives", valid)));
  if (valid == 0) {
    passed = best.passed;
    keep(std::move(best));
  }
  return passed;
}

int Checker::check_all(const std::vector<Schema>& schemas, const Value& value, const Value* old) {
  std::size_t valid = 0;
  int passed = 0;
  for (const Schema& schema : schemas) {
    Attempt one = attempt(*schema, value, old);
    if (one.causes.empty()) ++valid;
    passed += one.passed;
    keep(std::move(one));
  }
  if (valid != schemas.size())
    alternatives_fail(std::string("validate all the schemas (allOf)") +
                      (valid == 0 ? ". None validated" : ""));
  return passed;
}

int Checker::check_alternatives(const Node& node, const Value& value, const Value* old) {
  int passed = 2;
  if (!node.any_of.empty()) passed += check_any(node.any_of, value, old);
  if (!node.one_of.empty()) passed += check_one(node.one_of, value, old);
  if (!node.all_of.empty()) passed += check_all(node.all_of, value, old);
  if (node.negated && attempt(*node.negated, value, nullptr).causes.empty())
    alternatives_fail("not validate the schema (not)");
  return passed;
}

int Checker::check(const Node& node, const Value& value, const Value* old) {
  const std::size_t before = causes_.size();
  int passed = 2;
  if (node.type != Type::kAny || node.int_or_string) passed += check_type(node, value) ? 2 : 1;
  if (value.is_null()) {
    if (!node.nullable) check_enum(node, value);
  } else {
    passed += check_alternatives(node, value, old);
    if (value.is_string()) passed += check_text(node, value.as_string());
    if (value.is_number()) {
      passed += 2;
      check_number(node, value);
    }
    if (value.is_array()) passed += check_list(node, value, old);
    check_enum(node, value);
    if (value.is_object()) passed += check_object(node, value, old);
  }
  // Violations of an unchanged value are not reported.
  if (old != nullptr && causes_.size() > before && *old == value) causes_.resize(before);
  return passed;
}

}  // namespace

std::vector<Cause> validate(const Value& value, const Schema& schema, std::string_view path) {
  Checker checker(path);
  checker.check(*schema, value, nullptr);
  return checker.take();
}

std::vector<Cause> validate_update(const Value& value, const Value& old, const Schema& schema,
                                   std::string_view path) {
  Checker checker(path);
  checker.check(*schema, value, &old);
  return checker.take();
}

}  // namespace portico::schema
