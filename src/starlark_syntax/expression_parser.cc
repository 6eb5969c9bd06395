#include "starlark_syntax/expression_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "starlark_syntax/position.h"

namespace portico::starlark {

namespace {

/// Limit for the parser's recursion: nested brackets, lambdas, blocks.
constexpr int kDeepestNesting = 100;
/// A sum of many terms is a deep tree as well, which later passes process recursively.
constexpr int kDeepestTree = 1000;

struct Operator {
  Token token;
  int level;  // higher binds tighter
  BinaryOp op;
};

constexpr int kOrLevel = 0;
constexpr int kAndLevel = 1;
constexpr int kNotLevel = 2;
constexpr int kCompareLevel = 3;

constexpr Operator kOperators[] = {
    {Token::kEqual, kCompareLevel, BinaryOp::kEqual},
    {Token::kNotEqual, kCompareLevel, BinaryOp::kNotEqual},
    {Token::kLess, kCompareLevel, BinaryOp::kLess},
    {Token::kGreater, kCompareLevel, BinaryOp::kGreater},
    {Token::kLessEqual, kCompareLevel, BinaryOp::kLessEqual},
    {Token::kGreaterEqual, kCompareLevel, BinaryOp::kGreaterEqual},
    {Token::kIn, kCompareLevel, BinaryOp::kIn},
    {Token::kNotIn, kCompareLevel, BinaryOp::kNotIn},
    {Token::kPipe, 4, BinaryOp::kOr},
    {Token::kCaret, 5, BinaryOp::kXor},
    {Token::kAmpersand, 6, BinaryOp::kAnd},
    {Token::kShiftLeft, 7, BinaryOp::kShiftLeft},
    {Token::kShiftRight, 7, BinaryOp::kShiftRight},
    {Token::kMinus, 8, BinaryOp::kSubtract},
    {Token::kPlus, 8, BinaryOp::kAdd},
    {Token::kStar, 9, BinaryOp::kMultiply},
    {Token::kPercent, 9, BinaryOp::kModulo},
    {Token::kSlash, 9, BinaryOp::kDivide},
    {Token::kSlashSlash, 9, BinaryOp::kFloorDivide},
};

const Operator* operator_of(Token token) {
  const auto* found = std::find_if(std::begin(kOperators), std::end(kOperators),
                                   [token](const Operator& one) { return one.token == token; });
  return found == std::end(kOperators) ? nullptr : found;
}

bool ends_list(Token token) {
  return token == Token::kEnd || token == Token::kNewline || token == Token::kAssign ||
         token == Token::kCloseBrace || token == Token::kCloseBracket ||
         token == Token::kCloseParen || token == Token::kSemicolon;
}

}  // namespace

ExpressionParser::Nested::Nested(ExpressionParser& parser) : parser_(parser) {
  if (++parser_.nesting_ > kDeepestNesting)
    parser_.mistake(fmt::format("nested deeper than {}", kDeepestNesting));
}

void ExpressionParser::mistake(Position where, std::string message) {
  throw SyntaxError{where, std::move(message)};
}

void ExpressionParser::mistake(std::string message) { mistake(lexer_.here(), std::move(message)); }

std::string ExpressionParser::got() const { return describe(token_, lexer_.text()); }

Position ExpressionParser::advance() {
  const Position left = start_;
  token_ = lexer_.next();
  start_ = lexer_.start();
  return left;
}

Position ExpressionParser::consume(Token wanted) {
  if (token_ != wanted) mistake(fmt::format("got {}, want {}", got(), describe(wanted, "")));
  return advance();
}

bool ExpressionParser::accept(Token token) {
  if (token_ != token) return false;
  advance();
  return true;
}

Expr* ExpressionParser::make(ExprKind kind, Position start, Position where) {
  Expr& expr = tree_.exprs.emplace_back();
  expr.kind = kind;
  expr.start = start;
  expr.where = where;
  return &expr;
}

Expr* ExpressionParser::add(Expr* parent, Expr* child) {
  parent->args.push_back(child);
  if (child != nullptr) deepen(parent, child);
  return parent;
}

void ExpressionParser::deepen(Expr* parent, const Expr* child) {
  parent->depth = std::max(parent->depth, child->depth + 1);
  if (parent->depth > kDeepestTree)
    mistake(parent->where, fmt::format("expression deeper than {}", kDeepestTree));
}

Expr* ExpressionParser::loop_variables() {
  Expr* first = primary_with_suffix();
  if (token_ != Token::kComma) return first;
  Expr* tuple = add(make(ExprKind::kTuple, first->start, first->start), first);
  while (accept(Token::kComma)) {
    if (ends_list(token_)) break;
    add(tuple, primary_with_suffix());
  }
  return tuple;
}

Expr* ExpressionParser::name() {
  if (token_ != Token::kName) mistake("not an identifier");
  Expr* expr = make(ExprKind::kName, start_, start_);
  expr->text = lexer_.text();
  advance();
  return expr;
}

std::vector<Parameter> ExpressionParser::parameters() {
  std::vector<Parameter> result;
  while (token_ != Token::kCloseParen && token_ != Token::kColon && token_ != Token::kEnd) {
    if (!result.empty()) consume(Token::kComma);
    if (token_ == Token::kCloseParen) break;
    Parameter parameter;
    parameter.where = start_;
    if (token_ == Token::kStar || token_ == Token::kStarStar) {
      parameter.kind = token_ == Token::kStar ? ParameterKind::kStar : ParameterKind::kStarStar;
      advance();
      if (parameter.kind == ParameterKind::kStarStar || token_ == Token::kName)
        parameter.name = name();
    } else {
      parameter.name = name();
      if (token_ == Token::kAssign) {
        parameter.kind = ParameterKind::kOptional;
        parameter.where = advance();
        parameter.value = test();
      }
    }
    result.push_back(parameter);
  }
  return result;
}

Expr* ExpressionParser::expression(bool in_parens) {
  Expr* first = test();
  if (token_ != Token::kComma) return first;
  Expr* tuple = add(make(ExprKind::kTuple, first->start, first->start), first);
  more_elements(tuple, in_parens);
  return tuple;
}

void ExpressionParser::more_elements(Expr* list, bool allow_trailing_comma) {
  while (token_ == Token::kComma) {
    const Position comma = advance();
    if (ends_list(token_)) {
      if (!allow_trailing_comma) mistake(comma, "unparenthesized tuple with trailing comma");
      break;
    }
    add(list, test());
  }
}

Expr* ExpressionParser::test() {
  const Nested nested(*this);
  if (token_ == Token::kLambda) return lambda(true);
  Expr* then = operators(0);
  if (token_ != Token::kIf) return then;
  const Position where = advance();
  Expr* condition = operators(0);
  if (token_ != Token::kElse) mistake(where, "conditional expression without else clause");
  advance();
  Expr* otherwise = test();
  Expr* expr = make(ExprKind::kConditional, then->start, where);
  add(expr, condition);
  add(expr, then);
  return add(expr, otherwise);
}

Expr* ExpressionParser::lambda(bool allow_condition) {
  const Position where = advance();
  Expr* expr = make(ExprKind::kLambda, where, where);
  Function& function = tree_.functions.emplace_back();
  expr->function = &function;
  function.name = "lambda";
  function.where = where;
  if (token_ != Token::kColon) function.parameters = parameters();
  consume(Token::kColon);
  Stmt* result = &tree_.stmts.emplace_back();
  result->kind = StmtKind::kReturn;
  result->where = where;
  result->value = allow_condition ? test() : test_without_condition();
  function.body.push_back(result);
  deepen(expr, result->value);
  return expr;
}

Expr* ExpressionParser::test_without_condition() {
  const Nested nested(*this);
  return token_ == Token::kLambda ? lambda(false) : operators(0);
}

int ExpressionParser::level() {
  if (token_ == Token::kNot) {
    advance();
    if (token_ != Token::kIn) mistake(fmt::format("got {}, want in", got()));
    token_ = Token::kNotIn;
  }
  if (token_ == Token::kOr) return kOrLevel;
  if (token_ == Token::kAnd) return kAndLevel;
  const Operator* op = operator_of(token_);
  return op == nullptr ? -1 : op->level;
}

Expr* ExpressionParser::operators(int least) {
  Expr* left = nullptr;
  if (token_ == Token::kNot && least <= kNotLevel) {
    const Nested nested(*this);
    const Position where = advance();
    left = add(make(ExprKind::kNot, where, where), operators(kNotLevel));
  } else {
    left = primary_with_suffix();
  }
  std::optional<BinaryOp> compared;
  for (int found = level(); found >= least; found = level()) {
    if (found == kCompareLevel && compared)
      mistake(fmt::format("{} does not associate with {} (use parens)", symbol(*compared),
                          symbol(operator_of(token_)->op)));
    if (found == kCompareLevel) compared = operator_of(token_)->op;
    if (found < kCompareLevel) compared.reset();
    left = operation(left, found);
  }
  return left;
}

Expr* ExpressionParser::operation(Expr* left, int level) {
  const Operator* op = operator_of(token_);
  const ExprKind kind = level == kOrLevel    ? ExprKind::kOr
                        : level == kAndLevel ? ExprKind::kAnd
                                             : ExprKind::kBinary;
  Expr* expr = make(kind, left->start, advance());
  if (op != nullptr) expr->binary = op->op;
  const Nested nested(*this);
  add(expr, left);
  return add(expr, operators(level + 1));
}

Expr* ExpressionParser::primary_with_suffix() {
  Expr* expr = primary();
  while (true) {
    switch (token_) {
      case Token::kDot: {
        Expr* attribute = add(make(ExprKind::kAttribute, expr->start, advance()), expr);
        if (token_ != Token::kName) mistake("not an identifier");
        attribute->text = lexer_.text();
        advance();
        expr = attribute;
        break;
      }
      case Token::kOpenBracket:
        expr = index(expr);
        break;
      case Token::kOpenParen:
        expr = call(expr);
        break;
      default:
        return expr;
    }
  }
}

Expr* ExpressionParser::index(Expr* operand) {
  const Position where = advance();
  Expr* low = nullptr;
  if (token_ != Token::kColon) {
    low = expression(false);
    if (accept(Token::kCloseBracket))
      return add(add(make(ExprKind::kIndex, operand->start, where), operand), low);
  }
  Expr* high = nullptr;
  Expr* step = nullptr;
  if (accept(Token::kColon) && token_ != Token::kColon && token_ != Token::kCloseBracket)
    high = test();
  if (accept(Token::kColon) && token_ != Token::kCloseBracket) step = test();
  consume(Token::kCloseBracket);
  Expr* slice = add(make(ExprKind::kSlice, operand->start, where), operand);
  return add(add(add(slice, low), high), step);
}

Expr* ExpressionParser::call(Expr* function) {
  Expr* expr = add(make(ExprKind::kCall, function->start, advance()), function);
  while (token_ != Token::kCloseParen && token_ != Token::kEnd) {
    if (!expr->arguments.empty()) consume(Token::kComma);
    if (token_ == Token::kCloseParen) break;
    Argument argument;
    argument.where = start_;
    if (token_ == Token::kStar || token_ == Token::kStarStar) {
      argument.kind = token_ == Token::kStar ? ArgumentKind::kStar : ArgumentKind::kStarStar;
      advance();
      argument.value = test();
    } else {
      argument.value = test();
      if (token_ == Token::kAssign) {
        if (argument.value->kind != ExprKind::kName)
          mistake("keyword argument must have form name=expr");
        argument.kind = ArgumentKind::kNamed;
        argument.name = argument.value->text;
        advance();
        argument.value = test();
      }
    }
    deepen(expr, argument.value);
    expr->arguments.push_back(std::move(argument));
  }
  consume(Token::kCloseParen);
  return expr;
}

Expr* ExpressionParser::primary() {
  switch (token_) {
    case Token::kName:
      return name();
    case Token::kInt: {
      Expr* expr = make(ExprKind::kInt, start_, start_);
      expr->integer = lexer_.integer();
      advance();
      return expr;
    }
    case Token::kFloat: {
      Expr* expr = make(ExprKind::kFloat, start_, start_);
      expr->number = lexer_.number();
      advance();
      return expr;
    }
    case Token::kString:
    case Token::kBytes: {
      Expr* expr =
          make(token_ == Token::kString ? ExprKind::kString : ExprKind::kBytes, start_, start_);
      expr->text = lexer_.string();
      advance();
      return expr;
    }
    case Token::kOpenBracket:
      return list();
    case Token::kOpenBrace:
      return dict();
    case Token::kOpenParen: {
      const Position where = advance();
      if (accept(Token::kCloseParen)) return make(ExprKind::kTuple, where, where);
      Expr* inner = expression(true);
      consume(Token::kCloseParen);
      return add(make(ExprKind::kParen, where, where), inner);
    }
    case Token::kMinus:
    case Token::kPlus:
    case Token::kTilde: {
      const Nested nested(*this);
      const UnaryOp op = token_ == Token::kMinus  ? UnaryOp::kMinus
                         : token_ == Token::kPlus ? UnaryOp::kPlus
                                                  : UnaryOp::kInvert;
      const Position where = advance();
      Expr* expr = add(make(ExprKind::kUnary, where, where), primary_with_suffix());
      expr->unary = op;
      return expr;
    }
    default:
      // At the token's start: for a line end, that is after the incomplete line.
      mistake(start_, fmt::format("got {}, want primary expression", got()));
  }
}

Expr* ExpressionParser::list() {
  const Position where = advance();
  Expr* expr = make(ExprKind::kList, where, where);
  if (accept(Token::kCloseBracket)) return expr;
  add(expr, test());
  if (token_ == Token::kFor) return comprehension(expr, Token::kCloseBracket);
  more_elements(expr, true);
  consume(Token::kCloseBracket);
  return expr;
}

Expr* ExpressionParser::dict() {
  const Position where = advance();
  Expr* expr = make(ExprKind::kDict, where, where);
  if (accept(Token::kCloseBrace)) return expr;
  entry(expr);
  if (token_ == Token::kFor) return comprehension(expr, Token::kCloseBrace);
  while (accept(Token::kComma)) {
    if (token_ == Token::kCloseBrace) break;
    entry(expr);
  }
  consume(Token::kCloseBrace);
  return expr;
}

void ExpressionParser::entry(Expr* dict) {
  add(dict, test());
  const Position colon = consume(Token::kColon);
  Expr* value = add(make(ExprKind::kParen, colon, colon), test());
  add(dict, value);
}

Expr* ExpressionParser::comprehension(Expr* expr, Token close) {
  expr->curly = expr->kind == ExprKind::kDict;
  expr->kind = ExprKind::kComprehension;
  while (token_ != close) {
    Clause clause;
    if (token_ == Token::kFor) {
      clause.where = advance();
      clause.target = loop_variables();
      deepen(expr, clause.target);
      consume(Token::kIn);
      clause.operand = operators(0);
    } else if (token_ == Token::kIf) {
      clause.where = advance();
      clause.operand = test_without_condition();
    } else {
      mistake(fmt::format("got {}, want {}, for, or if", got(), describe(close, "")));
    }
    deepen(expr, clause.operand);
    expr->clauses.push_back(clause);
  }
  advance();
  return expr;
}

}  // namespace portico::starlark
