#include "gotemplate/internal/parser.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/spelling.h"
#include "gotemplate/internal/functions.h"
#include "gotemplate/internal/lexer.h"

namespace portico::gotemplate::internal {
namespace {

using Kind = Token::Kind;

constexpr int kMostNested = 100;
constexpr std::array<std::string_view, 11> kKeywords{"if",    "with",     "range",    "else",
                                                     "end",   "break",    "continue", "define",
                                                     "block", "template", "nil"};

bool is_keyword(std::string_view word) {
  return std::find(kKeywords.begin(), kKeywords.end(), word) != kKeywords.end();
}

class Parser {
 public:
  Parser(std::string_view text, std::vector<Token> tokens)
      : text_(text), tokens_(std::move(tokens)) {}

  Result<Parsed> run() {
    PORTICO_TRY(List all, list(false));
    if (!all.ended_by.empty())
      return wrong(all.at, fmt::format("unexpected {{{{{}}}}}", all.ended_by));
    out_.body = std::move(all.nodes);
    out_.text = text_;
    return std::move(out_);
  }

 private:
  struct List {
    std::vector<Node> nodes;
    std::string ended_by;  // "", "else", "end"
    Offset at = 0;
  };

  Error wrong(Offset at, const std::string& what) const {
    return invalid("{}", what).in(place(text_, at));
  }
  bool over() const { return at_ == tokens_.size(); }
  const Token& now() const { return tokens_[at_]; }
  bool is(Kind kind, std::string_view text = "") const {
    return !over() && now().kind == kind && (text.empty() || now().text == text);
  }
  bool take(Kind kind, std::string_view text = "") {
    if (!is(kind, text)) return false;
    ++at_;
    return true;
  }
  Result<Done> end_of_action() {
    if (take(Kind::kEnd)) return Done{};
    return wrong(now().at, "expected }}");
  }

  // Parses up to and including the {{else}} or {{end}} of the enclosing action.
  Result<List> list(bool in_range) {
    if (++depth_ > kMostNested) return wrong(over() ? text_.size() : now().at, "too deeply nested");
    List out;
    while (!over()) {
      const Offset at = now().at;
      if (is(Kind::kText)) {
        Node node;
        node.text = now().text;
        node.at = at;
        out.nodes.push_back(std::move(node));
        ++at_;
        continue;
      }
      if (is(Kind::kName, "else") || is(Kind::kName, "end")) {
        out.ended_by = now().text;
        out.at = at;
        ++at_;
        break;
      }
      PORTICO_TRY(auto node, action(in_range));
      if (node) out.nodes.push_back(*std::move(node));
    }
    --depth_;
    return out;
  }

  Result<std::optional<Node>> action(bool in_range) {
    Node node;
    node.at = now().at;
    const std::string word = is(Kind::kName) ? now().text : "";
    if (word == "if" || word == "with" || word == "range") {
      ++at_;
      PORTICO_TRY(node, control(word, node.at, in_range));
      return std::optional(std::move(node));
    }
    if (word == "break" || word == "continue") {
      ++at_;
      if (!in_range) return wrong(node.at, fmt::format("{} is only allowed inside a range", word));
      node.kind = word == "break" ? Node::Kind::kBreak : Node::Kind::kContinue;
      PORTICO_DO(end_of_action());
      return std::optional(std::move(node));
    }
    if (word == "define" || word == "block" || word == "template") {
      ++at_;
      return named(word, std::move(node));
    }
    node.kind = Node::Kind::kAction;
    PORTICO_TRY(node.pipeline, pipeline(false));
    PORTICO_DO(end_of_action());
    return std::optional(std::move(node));
  }

  Result<Node> control(const std::string& word, Offset at, bool in_range) {
    if (++depth_ > kMostNested) return wrong(at, "too deeply nested");
    const std::size_t known = variables_.size();
    Node node;
    node.at = at;
    const bool range = word == "range";
    node.kind = range ? Node::Kind::kRange : word == "if" ? Node::Kind::kIf : Node::Kind::kWith;
    PORTICO_TRY(node.pipeline, pipeline(range));
    PORTICO_DO(end_of_action());
    PORTICO_TRY(List body, list(in_range || range));
    node.body = std::move(body.nodes);
    if (body.ended_by == "else") {
      // {{else if x}} is a nested action that ends together with this one.
      if (!range && (is(Kind::kName, "if") || is(Kind::kName, "with"))) {
        const std::string chained = now().text;
        const Offset from = now().at;
        ++at_;
        PORTICO_TRY(Node other, control(chained, from, in_range));
        node.otherwise.push_back(std::move(other));
        variables_.resize(known);
        --depth_;
        return node;
      }
      PORTICO_DO(end_of_action());
      PORTICO_TRY(List otherwise, list(in_range));
      node.otherwise = std::move(otherwise.nodes);
      body.ended_by = otherwise.ended_by;
      body.at = otherwise.at;
    }
    if (body.ended_by == "else") return wrong(body.at, "unexpected second {{else}}");
    if (body.ended_by != "end") return wrong(at, fmt::format("{} has no {{{{end}}}}", word));
    PORTICO_DO(end_of_action());
    variables_.resize(known);
    --depth_;
    return node;
  }

  Result<std::optional<Node>> named(const std::string& word, Node node) {
    if (!is(Kind::kConstant) || !now().constant.is_string())
      return wrong(node.at, fmt::format("{} requires a quoted name", word));
    node.kind = Node::Kind::kTemplate;
    node.text = now().constant.as_string();
    ++at_;
    if (word != "define" && !is(Kind::kEnd)) {
      PORTICO_TRY(node.pipeline, pipeline(false));
    }
    PORTICO_DO(end_of_action());
    if (word == "template") return std::optional(std::move(node));
    // It has its own variables: only $.
    std::vector<std::string> outside = std::exchange(variables_, {""});
    PORTICO_TRY(List body, list(false));
    if (body.ended_by != "end") return wrong(node.at, fmt::format("{} has no {{{{end}}}}", word));
    PORTICO_DO(end_of_action());
    variables_ = std::move(outside);
    out_.defined[node.text] = std::move(body.nodes);
    if (word == "define") return std::optional<Node>();
    return std::optional(std::move(node));
  }

  Result<std::shared_ptr<const Pipeline>> pipeline(bool of_range) {
    if (++depth_ > kMostNested) return wrong(now().at, "too deeply nested");
    auto out = std::make_shared<Pipeline>();
    out->at = over() ? text_.size() : now().at;
    PORTICO_DO(declaration(*out, of_range));
    do {
      PORTICO_TRY(Command next, command(!out->commands.empty()));
      out->commands.push_back(std::move(next));
    } while (take(Kind::kSign, "|"));
    for (const std::string& name : out->variables)
      if (!out->assigns) variables_.push_back(name);
    --depth_;
    return std::shared_ptr<const Pipeline>(std::move(out));
  }

  // "$x :=", "$x =", "$i, $x :=".
  Result<Done> declaration(Pipeline& out, bool of_range) {
    if (!is(Kind::kVariable)) return Done{};
    const std::size_t start = at_;
    std::vector<std::string> names;
    for (;;) {
      if (!is(Kind::kVariable)) break;
      names.push_back(now().text);
      ++at_;
      if (!of_range || names.size() == 2 || !take(Kind::kSign, ",")) break;
    }
    const Offset at = tokens_[start].at;
    out.assigns = is(Kind::kSign, "=");
    if (!take(Kind::kSign, "=") && !take(Kind::kSign, ":=")) {
      if (names.size() > 1) return wrong(at, "expected := after the two variables of a range");
      at_ = start;
      return Done{};
    }
    for (const std::string& name : names)
      if (out.assigns) PORTICO_DO(check_variable(name, at));
    out.variables = std::move(names);
    return Done{};
  }

  Result<Done> check_variable(const std::string& name, Offset at) const {
    if (std::find(variables_.begin(), variables_.end(), name) != variables_.end()) return Done{};
    std::vector<std::string_view> known(variables_.begin(), variables_.end());
    return wrong(at, fmt::format("undefined variable ${}{}", name, hint(name, known, "$")));
  }

  bool command_ends() const {
    return over() || is(Kind::kEnd) || is(Kind::kSign, "|") || is(Kind::kSign, ")");
  }

  Result<Command> command(bool gets_value) {
    Command out;
    while (!command_ends()) {
      PORTICO_TRY(Operand word, operand());
      out.words.push_back(std::move(word));
    }
    const Offset at = over() ? text_.size() : now().at;
    if (out.words.empty()) return wrong(at, "missing value for command");
    const Operand& first = out.words.front();
    if ((out.words.size() > 1 || gets_value) && first.kind != Operand::Kind::kFunction)
      return wrong(first.at, "can't give argument to non-function");
    return out;
  }

  Result<Operand> operand() {
    Operand out;
    const Token token = now();
    out.at = token.at;
    switch (token.kind) {
      case Kind::kDot:
        ++at_;
        break;
      case Kind::kField:
        break;  // its fields follow
      case Kind::kVariable:
        ++at_;
        out.kind = Operand::Kind::kVariable;
        out.name = token.text;
        PORTICO_DO(check_variable(out.name, out.at));
        break;
      case Kind::kConstant:
        ++at_;
        out.kind = Operand::Kind::kConstant;
        out.constant = token.constant;
        return out;
      case Kind::kName:
        ++at_;
        return word(token);
      case Kind::kSign:
        if (token.text != "(") return wrong(token.at, fmt::format("unexpected '{}'", token.text));
        ++at_;
        out.kind = Operand::Kind::kPipeline;
        { PORTICO_TRY(out.pipeline, pipeline(false)); }
        if (!take(Kind::kSign, ")")) return wrong(token.at, "unclosed left parenthesis");
        break;
      case Kind::kText:
      case Kind::kEnd:
        return wrong(token.at, "missing value for command");
    }
    bool first = token.kind == Kind::kField;
    while (is(Kind::kField) && (first || !now().spaced)) {
      out.fields.push_back(now().text);
      ++at_;
      first = false;
    }
    return out;
  }

  Result<Operand> word(const Token& token) {
    Operand out;
    out.at = token.at;
    out.kind = Operand::Kind::kConstant;
    if (token.text == "true" || token.text == "false") {
      out.constant = token.text == "true";
      return out;
    }
    if (token.text == "nil") return out;
    if (is_keyword(token.text)) return wrong(token.at, fmt::format("unexpected {}", token.text));
    out.kind = Operand::Kind::kFunction;
    out.name = token.text;
    if (is_function(out.name)) return out;
    return wrong(token.at, fmt::format("function \"{}\" not defined{}", out.name,
                                       hint(out.name, function_names())));
  }

  std::string_view text_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::vector<std::string> variables_{""};
  Parsed out_;
};

}  // namespace

Result<Parsed> parse(std::string_view text) {
  PORTICO_TRY(auto tokens, tokens_of(text));
  return Parser(text, std::move(tokens)).run();
}

}  // namespace portico::gotemplate::internal
