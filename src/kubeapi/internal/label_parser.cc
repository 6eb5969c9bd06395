#include "kubeapi/internal/label_parser.h"

#include <algorithm>
#include <charconv>

#include "krm/meta.h"
#include "schema/causes.h"
#include "schema/metadata.h"

namespace portico::kubeapi {

namespace {

using Operator = LabelRequirement::Operator;

enum class Kind { kEnd, kName, kOperator };
struct Token {
  Kind kind = Kind::kEnd;
  std::string_view text;
};

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  Token next() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
    if (at_ == text_.size()) return {};
    const std::size_t start = at_;
    if (is_special(text_[at_])) {
      for (const std::string_view two : {"!=", "=="})
        if (text_.substr(at_, 2) == two) {
          at_ += 2;
          return {Kind::kOperator, text_.substr(start, 2)};
        }
      ++at_;
      return {Kind::kOperator, text_.substr(start, 1)};
    }
    while (at_ < text_.size() && !is_blank(text_[at_]) && !is_special(text_[at_])) ++at_;
    return {Kind::kName, text_.substr(start, at_ - start)};
  }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
  static bool is_special(char c) {
    return std::string_view("=!(),<>").find(c) != std::string_view::npos;
  }
  std::string_view text_;
  std::size_t at_ = 0;
};

class Parser {
 public:
  explicit Parser(std::string_view text) : lexer_(text) { advance(); }

  StatusOr<std::vector<LabelRequirement>> run() {
    std::vector<LabelRequirement> out;
    if (now_.kind == Kind::kEnd) return out;
    for (;;) {
      PORTICO_TRY(LabelRequirement one, requirement());
      out.push_back(std::move(one));
      if (now_.kind == Kind::kEnd) return out;
      if (now_.text != ",")
        return refusal(fmt::format("found '{}', expected: ',' or 'end of string'", now_.text));
      advance();
      if (now_.kind != Kind::kName && now_.text != "!")
        return refusal(fmt::format("found '{}', expected: identifier after ','", now_.text));
    }
  }

 private:
  void advance() { now_ = lexer_.next(); }

  static StatusError refusal(const std::string& why) {
    return bad_request("unable to parse requirement: " + why);
  }

  StatusOr<LabelRequirement> requirement() {
    LabelRequirement out;
    bool absent = false;
    if (now_.text == "!" && now_.kind == Kind::kOperator) {
      absent = true;
      advance();
    }
    if (now_.kind != Kind::kName)
      return refusal(fmt::format("found '{}', expected: identifier", now_.text));
    out.key = now_.text;
    PORTICO_DO(check_key(out.key));
    advance();
    if (absent) {
      out.op = Operator::kDoesNotExist;
      return out;
    }
    if (now_.kind == Kind::kEnd || now_.text == ",") {
      out.op = Operator::kExists;
      return out;
    }
    PORTICO_DO(read_operator(out));
    PORTICO_DO(check_values(out));
    return out;
  }

  StatusOr<Done> read_operator(LabelRequirement& out) {
    const std::string_view op = now_.text;
    advance();
    if (op == "in" || op == "notin") {
      out.op = op == "in" ? Operator::kIn : Operator::kNotIn;
      return read_set(out.values);
    }
    if (op == "=" || op == "==")
      out.op = Operator::kIn;
    else if (op == "!=")
      out.op = Operator::kNotIn;
    else if (op == ">")
      out.op = Operator::kGreater;
    else if (op == "<")
      out.op = Operator::kLess;
    else
      return refusal(fmt::format("found '{}', expected: in, notin, =, ==, !=, gt, lt", op));
    if (now_.kind == Kind::kName) {
      out.values.emplace_back(now_.text);
      advance();
    } else if (now_.kind == Kind::kEnd || now_.text == ",") {
      out.values.emplace_back();
    } else {
      return refusal(fmt::format("found '{}', expected: identifier", now_.text));
    }
    return Done{};
  }

  // "(a,b)"; values may be empty.
  StatusOr<Done> read_set(std::vector<std::string>& values) {
    if (now_.text != "(") return refusal(fmt::format("found '{}' expected: '('", now_.text));
    advance();
    for (;;) {
      if (now_.kind == Kind::kName) {
        values.emplace_back(now_.text);
        advance();
      } else if (now_.text == "," || now_.text == ")") {
        values.emplace_back();
      } else {
        return refusal(fmt::format("found '{}', expected: ',', ')' or identifier", now_.text));
      }
      if (now_.text == ")") break;
      if (now_.text != ",")
        return refusal(fmt::format("found '{}', expected: ',' or ')'", now_.text));
      advance();
    }
    advance();
    return Done{};
  }

  static StatusOr<Done> check_key(const std::string& key) {
    const auto faults = schema::qualified_name_faults(key);
    if (faults.empty()) return Done{};
    return refusal(schema::line(schema::invalid_value("<nil>", json::Value(key), faults.front())));
  }

  static StatusOr<Done> check_values(const LabelRequirement& requirement) {
    const bool number = requirement.op == Operator::kGreater || requirement.op == Operator::kLess;
    for (std::size_t i = 0; i < requirement.values.size(); ++i) {
      const std::string& value = requirement.values[i];
      if (number) {
        std::int64_t bound = 0;
        const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), bound);
        if (error != std::errc() || end != value.data() + value.size() || value.empty())
          return refusal(schema::line(
              schema::invalid_value(fmt::format("values[{}]", i), json::Value(value),
                                    "for 'Gt', 'Lt' operators, the value must be an integer")));
      } else if (!krm::is_label_value(value)) {
        return refusal(schema::line(schema::invalid_value(
            fmt::format("values[{}][{}]", i, requirement.key), json::Value(value),
            value.size() > 63
                ? "must be no more than 63 characters"
                : "a valid label must be an empty string or consist of alphanumeric characters, "
                  "'-', '_' or '.', and must start and end with an alphanumeric character (e.g. "
                  "'MyValue',  or 'my_value',  or '12345', regex used for validation is "
                  "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')")));
      }
    }
    return Done{};
  }

  Lexer lexer_;
  Token now_;
};

}  // namespace

StatusOr<std::vector<LabelRequirement>> parse_label_selector(std::string_view text) {
  return Parser(text).run();
}

}  // namespace portico::kubeapi
