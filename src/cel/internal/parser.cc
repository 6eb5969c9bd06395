#include "cel/internal/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>

#include "base/utf8.h"
#include "cel/internal/lexer.h"
#include "cel/numbers.h"
#include "cel/utf8.h"

namespace portico::cel::internal {
namespace {

struct Infix {
  int precedence = 0;
  const char* function = nullptr;
};

Infix infix_of(Token token) {
  switch (token) {
    case Token::kOr:
      return {1, "_||_"};
    case Token::kAnd:
      return {2, "_&&_"};
    case Token::kEqual:
      return {3, "_==_"};
    case Token::kNotEqual:
      return {3, "_!=_"};
    case Token::kLess:
      return {3, "_<_"};
    case Token::kLessEqual:
      return {3, "_<=_"};
    case Token::kGreater:
      return {3, "_>_"};
    case Token::kGreaterEqual:
      return {3, "_>=_"};
    case Token::kIn:
      return {3, "@in"};
    case Token::kPlus:
      return {4, "_+_"};
    case Token::kMinus:
      return {4, "_-_"};
    case Token::kStar:
      return {5, "_*_"};
    case Token::kSlash:
      return {5, "_/_"};
    case Token::kPercent:
      return {5, "_%_"};
    default:
      return {};
  }
}

// Recursive descent for nesting, precedence climbing for operators. A failure is recorded once, and
// every function on the way up returns nullptr.
class Parser {
 public:
  Parser(std::string_view source, const Language& language)
      : source_(source), language_(language), lexer_(source) {}

  Parsed run() {
    const Limits& limits = language_.options.limits;
    if (source_.size() > limits.source_bytes) {
      fail(0, fmt::format("expression is {} bytes long, the limit is {}", source_.size(),
                          limits.source_bytes));
    } else if (!is_utf8(source_)) {
      fail(0, "expression is not UTF-8");
    } else {
      advance();
      Expr* root = expression();
      if (root != nullptr && now_.token != Token::kEnd) root = unexpected("an operator or the end");
      out_.ast.root = failed() ? nullptr : root;
    }
    return std::move(out_);
  }

 private:
  bool failed() const { return !out_.issues.empty(); }

  Expr* fail(std::uint32_t offset, std::string message) {
    if (!failed()) out_.issues.push_back({offset, std::move(message)});
    return nullptr;
  }

  Expr* unexpected(std::string_view expected) {
    if (now_.token == Token::kBad) {
      std::size_t end = now_.begin;
      next_code_point(source_, end);
      return fail(now_.begin, fmt::format("Syntax error: {} '{}'", now_.error,
                                          source_.substr(now_.begin, end - now_.begin)));
    }
    const std::string found = now_.token == Token::kEnd
                                  ? "the end of the expression"
                                  : fmt::format("'{}'", excerpt(source_, {now_.begin, now_.end}));
    return fail(now_.begin, fmt::format("Syntax error: expected {}, found {}", expected, found));
  }

  void advance() {
    last_end_ = now_.end;
    now_ = lexer_.next();
  }

  bool accept(Token token) {
    if (now_.token != token) return false;
    advance();
    return true;
  }

  bool require(Token token, std::string_view name) {
    if (accept(token)) return true;
    unexpected(name);
    return false;
  }

  std::string_view text() const { return source_.substr(now_.begin, now_.end - now_.begin); }

  Expr* node(ExprKind kind, std::uint32_t begin, std::uint32_t anchor) {
    return out_.ast.make(kind, {begin, last_end_}, anchor);
  }

  // Every node passes through here once its children are complete: measures and limits its
  // depth.
  Expr* finish(Expr* expr) {
    const Limits& limits = language_.options.limits;
    if (out_.ast.size() > limits.expressions)
      return fail(expr->anchor,
                  fmt::format("expression has more than {} parts", limits.expressions));
    if (measure(*expr) > limits.depth)
      return fail(expr->anchor, fmt::format("expression is nested deeper than {}", limits.depth));
    return expr;
  }

  // Finished children have a depth, so this only descends into the nodes that a macro created.
  // Nodes that bind names add the depths of values and body: the body can build upon the values,
  // and lists must not nest deeper at run time than expressions do.
  std::uint16_t measure(Expr& expr) {
    if (expr.depth != 0) return expr.depth;
    const bool sums = expr.kind == ExprKind::kFold || expr.kind == ExprKind::kBind ||
                      expr.kind == ExprKind::kBlock;
    std::size_t depth = expr.target != nullptr ? measure(*expr.target) : std::size_t{0};
    for (Expr* arg : expr.args) {
      if (arg == nullptr) continue;
      const std::size_t each = measure(*arg);
      depth = sums ? depth + each : std::max(depth, each);
    }
    constexpr std::size_t kMost = std::numeric_limits<std::uint16_t>::max();
    return expr.depth = static_cast<std::uint16_t>(std::min(depth + 1, kMost));
  }

  Expr* expression() {
    if (++nesting_ > language_.options.limits.depth)
      return fail(now_.begin, fmt::format("expression is nested deeper than {}",
                                          language_.options.limits.depth));
    Expr* out = ternary();
    --nesting_;
    return out;
  }

  Expr* ternary() {
    const std::uint32_t begin = now_.begin;
    Expr* condition = binary(1);
    if (condition == nullptr || now_.token != Token::kQuestion) return condition;
    const std::uint32_t anchor = now_.begin;
    advance();
    Expr* yes = binary(1);
    if (yes == nullptr || !require(Token::kColon, "':' of the conditional")) return nullptr;
    Expr* no = expression();
    if (no == nullptr) return nullptr;
    Expr* out = node(ExprKind::kCall, begin, anchor);
    out->name = "_?_:_";
    out->args = {condition, yes, no};
    return finish(out);
  }

  // Operators of precedence `least` and above. Runs of && and || become one call with many
  // arguments, so that a long list of conditions does not make a deep tree.
  Expr* binary(int least) {
    const std::uint32_t begin = now_.begin;
    Expr* left = unary();
    while (left != nullptr) {
      const Infix infix = infix_of(now_.token);
      if (infix.precedence < least || infix.function == nullptr) break;
      const Token token = now_.token;
      const std::uint32_t anchor = now_.begin;
      std::vector<Expr*> args = {left};
      do {
        advance();
        Expr* right = binary(infix.precedence + 1);
        if (right == nullptr) return nullptr;
        args.push_back(right);
      } while ((token == Token::kAnd || token == Token::kOr) && now_.token == token);
      left = node(ExprKind::kCall, begin, anchor);
      left->name = infix.function;
      left->args = std::move(args);
      left = finish(left);
    }
    return left;
  }

  // An even number of signs cancels out, as in the reference implementation of the grammar.
  Expr* unary() {
    if (now_.token != Token::kNot && now_.token != Token::kMinus) return member();
    const Token sign = now_.token;
    const std::uint32_t begin = now_.begin;
    std::uint32_t anchor = begin;
    bool odd = false;
    while (now_.token == sign) {
      odd = !odd;
      anchor = now_.begin;
      advance();
    }
    const bool number = now_.token == Token::kInt || now_.token == Token::kDouble;
    if (sign == Token::kMinus && number && odd) return postfix(number_literal(true, anchor), begin);
    Expr* operand = member();
    if (operand == nullptr || !odd) return operand;
    Expr* out = node(ExprKind::kCall, begin, begin);
    out->name = sign == Token::kNot ? "!_" : "-_";
    out->args = {operand};
    return finish(out);
  }

  Expr* member() {
    const std::uint32_t begin = now_.begin;
    return postfix(primary(), begin);
  }

  Expr* postfix(Expr* operand, std::uint32_t begin) {
    while (operand != nullptr) {
      const std::uint32_t anchor = now_.begin;
      if (accept(Token::kDot)) {
        operand = selection(operand, begin, anchor);
      } else if (accept(Token::kLeftBracket)) {
        operand = index(operand, begin, anchor);
      } else if (now_.token == Token::kLeftBrace && !qualified_name(*operand).empty()) {
        operand = message(operand, begin);
      } else {
        break;
      }
    }
    return operand;
  }

  Expr* selection(Expr* operand, std::uint32_t begin, std::uint32_t anchor) {
    const bool optional = now_.token == Token::kQuestion;
    if (optional && !optional_syntax("'.?'")) return nullptr;
    const bool quoted = now_.token == Token::kQuotedIdent;
    if (!quoted && now_.token != Token::kIdent) return unexpected("a field name");
    std::string name(text());
    if (quoted) name = name.substr(1, name.size() - 2);
    advance();
    if (!quoted && !optional && now_.token == Token::kLeftParen)
      return call(std::move(name), operand, begin);
    Expr* out = node(ExprKind::kSelect, begin, anchor);
    out->name = std::move(name);
    out->optional = optional;
    out->target = operand;
    return finish(out);
  }

  Expr* index(Expr* operand, std::uint32_t begin, std::uint32_t anchor) {
    const bool optional = now_.token == Token::kQuestion;
    if (optional && !optional_syntax("'[?'")) return nullptr;
    Expr* key = expression();
    if (key == nullptr || !require(Token::kRightBracket, "']'")) return nullptr;
    Expr* out = node(ExprKind::kCall, begin, anchor);
    out->name = optional ? "_[?_]" : "_[_]";
    out->args = {operand, key};
    return finish(out);
  }

  bool optional_syntax(std::string_view what) {
    if (!language_.optional_syntax) {
      fail(now_.begin, fmt::format("unsupported syntax {}", what));
      return false;
    }
    advance();
    return true;
  }

  // `now_` is the opening parenthesis.
  Expr* call(std::string name, Expr* target, std::uint32_t begin) {
    const std::uint32_t anchor = now_.begin;
    advance();
    std::vector<Expr*> args;
    if (now_.token != Token::kRightParen) {
      do {
        Expr* arg = expression();
        if (arg == nullptr) return nullptr;
        args.push_back(arg);
      } while (accept(Token::kComma));
    }
    if (!require(Token::kRightParen, "',' or ')'")) return nullptr;
    Expr* out = node(ExprKind::kCall, begin, anchor);
    out->name = std::move(name);
    out->target = target;
    out->args = std::move(args);
    return expand(out);
  }

  Expr* expand(Expr* call) {
    const Macro* macro =
        language_.options.macros
            ? language_.find_macro(call->name, call->args.size(), call->target != nullptr)
            : nullptr;
    if (macro == nullptr) return finish(call);
    MacroContext context(out_.ast, *call);
    Expr* expanded = macro->expand(context, *call);
    if (context.refused()) return fail(context.error_offset, std::move(context.error));
    return finish(expanded != nullptr ? expanded : call);
  }

  Expr* primary() {
    const std::uint32_t begin = now_.begin;
    switch (now_.token) {
      case Token::kLeftParen: {
        advance();
        Expr* inner = expression();
        return inner != nullptr && require(Token::kRightParen, "')'") ? inner : nullptr;
      }
      case Token::kLeftBracket:
        return list();
      case Token::kLeftBrace:
        return map();
      case Token::kDot:
        advance();
        if (now_.token != Token::kIdent) return unexpected("a name");
        return name(begin, true);
      case Token::kIdent:
        return name(begin, false);
      case Token::kInt:
      case Token::kUint:
      case Token::kDouble:
        return number_literal(false, begin);
      case Token::kString:
      case Token::kBytes:
        return text_literal();
      case Token::kTrue:
        return literal(Value(true));
      case Token::kFalse:
        return literal(Value(false));
      case Token::kNull:
        return literal(Value());
      default:
        return unexpected("an expression");
    }
  }

  Expr* name(std::uint32_t begin, bool absolute) {
    std::string name(text());
    if (is_reserved(name)) return fail(now_.begin, fmt::format("reserved identifier: {}", name));
    advance();
    if (now_.token == Token::kLeftParen) return call((absolute ? "." : "") + name, nullptr, begin);
    Expr* out = node(ExprKind::kIdent, begin, begin);
    out->name = std::move(name);
    out->absolute = absolute;
    return finish(out);
  }

  Expr* literal(Value value) {
    const std::uint32_t begin = now_.begin;
    advance();
    Expr* out = node(ExprKind::kLiteral, begin, begin);
    out->value = std::move(value);
    return finish(out);
  }

  Expr* number_literal(bool negative, std::uint32_t begin) {
    const std::string_view digits = text();
    const Token token = now_.token;
    std::optional<Value> value;
    if (token == Token::kDouble) {
      value = Value(read_double_literal(digits) * (negative ? -1.0 : 1.0));
    } else if (token == Token::kUint) {
      if (const auto number = read_uint(digits.substr(0, digits.size() - 1)))
        value = Value(*number);
    } else if (const auto number = read_uint(digits)) {
      value = signed_value(*number, negative);
    }
    if (!value)
      return fail(begin, token == Token::kUint ? "invalid uint literal" : "invalid int literal");
    Expr* out = literal(std::move(*value));
    if (out != nullptr) out->span.begin = out->anchor = begin;
    return out;
  }

  Expr* text_literal() {
    const bool bytes = now_.token == Token::kBytes;
    std::string content;
    if (!unquote(text(), bytes, content))
      return fail(now_.begin, fmt::format("Syntax error: {}", content));
    return literal(bytes ? Value::bytes(content) : Value::string(content));
  }

  // Parses the '?' before an element or entry and records it in `marks`.
  bool optional_item(std::vector<bool>& marks) {
    const bool optional = now_.token == Token::kQuestion;
    if (optional && !optional_syntax("'?'")) return false;
    marks.push_back(optional);
    return true;
  }

  Expr* list() {
    const std::uint32_t begin = now_.begin;
    advance();
    Expr* out = node(ExprKind::kList, begin, begin);
    while (now_.token != Token::kRightBracket) {
      if (!optional_item(out->optional_items)) return nullptr;
      Expr* item = expression();
      if (item == nullptr) return nullptr;
      out->args.push_back(item);
      if (!accept(Token::kComma)) break;
    }
    if (!require(Token::kRightBracket, "',' or ']'")) return nullptr;
    out->span.end = last_end_;
    return finish(out);
  }

  Expr* map() {
    const std::uint32_t begin = now_.begin;
    advance();
    Expr* out = node(ExprKind::kMap, begin, begin);
    while (now_.token != Token::kRightBrace) {
      if (!optional_item(out->optional_items)) return nullptr;
      Expr* key = expression();
      if (key == nullptr || !require(Token::kColon, "':'")) return nullptr;
      Expr* value = expression();
      if (value == nullptr) return nullptr;
      out->args.push_back(key);
      out->args.push_back(value);
      if (!accept(Token::kComma)) break;
    }
    if (!require(Token::kRightBrace, "',' or '}'")) return nullptr;
    out->span.end = last_end_;
    return finish(out);
  }

  Expr* message(Expr* type, std::uint32_t begin) {
    const std::uint32_t anchor = now_.begin;
    advance();
    Expr* out = node(ExprKind::kMessage, begin, anchor);
    out->name = qualified_name(*type);
    out->absolute = first_name(*type)->absolute;
    while (now_.token != Token::kRightBrace) {
      if (!optional_item(out->optional_items)) return nullptr;
      const bool quoted = now_.token == Token::kQuotedIdent;
      if (!quoted && now_.token != Token::kIdent) return unexpected("a field name");
      const std::string_view field = text();
      out->fields.emplace_back(quoted ? field.substr(1, field.size() - 2) : field);
      advance();
      if (!require(Token::kColon, "':'")) return nullptr;
      Expr* value = expression();
      if (value == nullptr) return nullptr;
      out->args.push_back(value);
      if (!accept(Token::kComma)) break;
    }
    if (!require(Token::kRightBrace, "',' or '}'")) return nullptr;
    out->span.end = last_end_;
    return finish(out);
  }

  static std::optional<std::uint64_t> read_uint(std::string_view digits) {
    const bool hex = digits.size() > 2 && (digits[1] == 'x' || digits[1] == 'X');
    if (hex) digits.remove_prefix(2);
    std::uint64_t number = 0;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), number, hex ? 16 : 10);
    if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
    return number;
  }

  static std::optional<Value> signed_value(std::uint64_t number, bool negative) {
    constexpr std::uint64_t kTop = std::uint64_t{1} << 63;
    if (number > kTop || (number == kTop && !negative)) return std::nullopt;
    return Value(static_cast<std::int64_t>(negative ? 0 - number : number));
  }

  std::string_view source_;
  const Language& language_;
  Lexer lexer_;
  Lexeme now_;
  std::uint32_t last_end_ = 0;
  int nesting_ = 0;
  Parsed out_;
};

}  // namespace

Parsed parse(std::string_view source, const Language& language) {
  return Parser(source, language).run();
}

std::string qualified_name(const Expr& expr) {
  if (expr.kind == ExprKind::kIdent) return expr.name;
  if (expr.kind != ExprKind::kSelect || expr.test || expr.optional) return "";
  std::string name = qualified_name(*expr.target);
  if (!name.empty()) name += "." + expr.name;
  return name;
}

const Expr* first_name(const Expr& expr) {
  const Expr* at = &expr;
  while (at->kind == ExprKind::kSelect && !at->test && !at->optional) at = at->target;
  return at->kind == ExprKind::kIdent ? at : nullptr;
}

}  // namespace portico::cel::internal
