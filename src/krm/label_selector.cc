#include <algorithm>
#include <array>
#include <charconv>

#include "krm/meta.h"

namespace portico::krm {
namespace {

using Operator = LabelSelector::Operator;
using Requirement = LabelSelector::Requirement;

Result<Done> check(const Requirement& one) {
  if (!is_label_key(one.key)) return invalid("invalid label key \"{}\"", one.key).in("key");
  const bool takes_values = one.op == Operator::kIn || one.op == Operator::kNotIn;
  if (takes_values && one.values.empty())
    return invalid("In and NotIn need at least one value").in("values");
  if (!takes_values && !one.values.empty())
    return invalid("Exists and DoesNotExist take no values").in("values");
  for (const std::string& value : one.values)
    if (!is_label_value(value)) return invalid("invalid label value \"{}\"", value).in("values");
  return Done{};
}

bool meets(const Requirement& one, std::optional<std::string_view> value) {
  const auto listed = [&] {
    return std::find(one.values.begin(), one.values.end(), *value) != one.values.end();
  };
  switch (one.op) {
    case Operator::kIn:
      return value && listed();
    case Operator::kNotIn:
      return !value || !listed();
    case Operator::kExists:
      return value.has_value();
    case Operator::kDoesNotExist:
      return !value;
  }
  return false;
}

Result<Requirement> decode_expression(const json::Value& value) {
  if (!value.is_object()) return invalid("must be a map with key, operator and values");
  Requirement out;
  for (const json::Member& member : value.members()) {
    if (member.name() == "key" || member.name() == "operator") {
      if (!member.value.is_string())
        return invalid("must be a string").in(std::string(member.name()));
    } else if (member.name() == "values") {
      if (member.value.is_null()) continue;
      if (!member.value.is_array()) return invalid("must be a list of strings").in("values");
      for (const json::Value& item : member.value.items()) {
        if (!item.is_string()) return invalid("must be a list of strings").in("values");
        out.values.emplace_back(item.as_string());
      }
    } else {
      return invalid("unknown field \"{}\"", member.name());
    }
  }
  out.key = value["key"].as_string();
  const std::string_view op = value["operator"].as_string();
  if (op == "In") {
    out.op = Operator::kIn;
  } else if (op == "NotIn") {
    out.op = Operator::kNotIn;
  } else if (op == "Exists") {
    out.op = Operator::kExists;
  } else if (op == "DoesNotExist") {
    out.op = Operator::kDoesNotExist;
  } else {
    return invalid("invalid operator \"{}\": In, NotIn, Exists or DoesNotExist", op).in("operator");
  }
  PORTICO_DO(check(out));
  return out;
}

/// Parses kubectl's text form (apimachinery's labels.Parse).
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  Result<std::vector<Requirement>> read() {
    std::vector<Requirement> out;
    skip_blanks();
    if (at_ == text_.size()) return out;
    for (;;) {
      PORTICO_TRY(Requirement one, requirement());
      PORTICO_DO(check(one), "\"" + std::string(text_) + "\"");
      out.push_back(std::move(one));
      skip_blanks();
      if (at_ == text_.size()) return out;
      if (!take(",")) return unexpected("','");
    }
  }

 private:
  void skip_blanks() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r'))
      ++at_;
  }

  bool take(std::string_view symbol) {
    skip_blanks();
    if (!text_.substr(at_).starts_with(symbol)) return false;
    at_ += symbol.size();
    return true;
  }

  std::string word() {
    skip_blanks();
    const std::size_t begin = at_;
    while (at_ < text_.size() &&
           std::string_view(" \t\r\n,()=!<>").find(text_[at_]) == std::string_view::npos)
      ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }

  Error unexpected(std::string_view wanted) const {
    return invalid("invalid label selector \"{}\": column {}: expected {}", text_, at_ + 1, wanted);
  }

  Result<Requirement> requirement() {
    Requirement out;
    if (take("!")) {
      out.op = Operator::kDoesNotExist;
      out.key = word();
      if (out.key.empty()) return unexpected("a label key");
      return out;
    }
    out.key = word();
    if (out.key.empty()) return unexpected("a label key");
    skip_blanks();
    if (at_ == text_.size() || text_[at_] == ',') {
      out.op = Operator::kExists;
    } else if (take("==") || take("=")) {
      out.values = {word()};
    } else if (take("!=")) {
      out.op = Operator::kNotIn;
      out.values = {word()};
    } else {
      const std::string op = word();
      if (op != "in" && op != "notin") return unexpected("=, ==, !=, in or notin");
      if (op == "notin") out.op = Operator::kNotIn;
      if (!take("(")) return unexpected("'('");
      do out.values.push_back(word());
      while (take(","));
      if (!take(")")) return unexpected("')'");
    }
    return out;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

Result<LabelSelector> LabelSelector::decode(const json::Value& value) {
  LabelSelector out;
  if (value.is_null()) return out;
  if (!value.is_object()) return invalid("must be a map with matchLabels or matchExpressions");
  for (const json::Member& member : value.members())
    if (member.name() != "matchLabels" && member.name() != "matchExpressions")
      return invalid("unknown field \"{}\"", member.name());

  const json::Value& labels = value["matchLabels"];
  if (!labels.is_null() && !labels.is_object())
    return invalid("must be a map of strings").in("matchLabels");
  for (const json::Member& label : labels.members()) {
    if (!label.value.is_string())
      return invalid("must be a string").in(std::string(label.name())).in("matchLabels");
    Requirement one{
        std::string(label.name()), Operator::kIn, {std::string(label.value.as_string())}};
    PORTICO_DO(check(one), "matchLabels");
    out.requirements_.push_back(std::move(one));
  }

  const json::Value& expressions = value["matchExpressions"];
  if (!expressions.is_null() && !expressions.is_array())
    return invalid("must be a list").in("matchExpressions");
  for (std::size_t i = 0; i < expressions.size(); ++i) {
    PORTICO_TRY(Requirement one, decode_expression(expressions[i]),
                "matchExpressions[" + std::to_string(i) + "]");
    out.requirements_.push_back(std::move(one));
  }
  return out;
}

Result<LabelSelector> LabelSelector::parse(std::string_view text) {
  LabelSelector out;
  PORTICO_TRY(out.requirements_, Reader(text).read());
  return out;
}

std::string LabelSelector::text() const {
  std::string out;
  for (const Requirement& each : requirements_) {
    if (!out.empty()) out += ",";
    std::string values;
    for (const std::string& value : each.values) values += (values.empty() ? "" : ",") + value;
    switch (each.op) {
      case Operator::kIn:
        out += each.key + " in (" + values + ")";
        break;
      case Operator::kNotIn:
        out += each.key + " notin (" + values + ")";
        break;
      case Operator::kExists:
        out += each.key;
        break;
      case Operator::kDoesNotExist:
        out += "!" + each.key;
        break;
    }
  }
  return out;
}

bool LabelSelector::matches(const std::map<std::string, std::string>& labels) const {
  return std::all_of(requirements_.begin(), requirements_.end(), [&](const Requirement& one) {
    const auto at = labels.find(one.key);
    return meets(one, at == labels.end() ? std::optional<std::string_view>() : at->second);
  });
}

bool LabelSelector::matches_object(const json::Value& object) const {
  const json::Value& labels = object["metadata"]["labels"];
  return std::all_of(requirements_.begin(), requirements_.end(), [&](const Requirement& one) {
    const json::Value* value = labels.find(one.key);
    return meets(one, value == nullptr || !value->is_string() ? std::optional<std::string_view>()
                                                              : value->as_string());
  });
}

}  // namespace portico::krm
