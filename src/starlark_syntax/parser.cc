#include "starlark_syntax/parser.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "starlark_syntax/expression_parser.h"

namespace portico::starlark {

namespace {

std::optional<BinaryOp> augmented(Token token) {
  constexpr BinaryOp kOps[] = {BinaryOp::kAdd,       BinaryOp::kSubtract,    BinaryOp::kMultiply,
                               BinaryOp::kDivide,    BinaryOp::kFloorDivide, BinaryOp::kModulo,
                               BinaryOp::kAnd,       BinaryOp::kOr,          BinaryOp::kXor,
                               BinaryOp::kShiftLeft, BinaryOp::kShiftRight};
  if (token < Token::kPlusAssign || token > Token::kShiftRightAssign) return std::nullopt;
  return kOps[static_cast<std::size_t>(token) - static_cast<std::size_t>(Token::kPlusAssign)];
}

/// Parses statements.
class Parser : private ExpressionParser {
 public:
  using ExpressionParser::ExpressionParser;

  void file() {
    tree_.top.name = "<toplevel>";
    tree_.top.where = {1, 1};
    while (token_ != Token::kEnd) {
      if (token_ == Token::kNewline)
        advance();
      else
        statement(tree_.top.body);
    }
  }

 private:
  Stmt* make_statement(StmtKind kind, Position where) {
    Stmt& stmt = tree_.stmts.emplace_back();
    stmt.kind = kind;
    stmt.where = where;
    return &stmt;
  }

  void statement(std::vector<Stmt*>& out) {
    const Nested nested(*this);
    switch (token_) {
      case Token::kDef:
        out.push_back(def());
        break;
      case Token::kIf:
        out.push_back(if_statement());
        break;
      case Token::kFor:
        out.push_back(for_statement());
        break;
      case Token::kWhile: {
        Stmt* stmt = make_statement(StmtKind::kWhile, advance());
        stmt->value = test();
        consume(Token::kColon);
        stmt->body = suite();
        out.push_back(stmt);
        break;
      }
      default:
        simple_statement(out);
    }
  }

  std::vector<Stmt*> suite() {
    std::vector<Stmt*> body;
    if (token_ != Token::kNewline) {
      simple_statement(body);
      return body;
    }
    advance();
    consume(Token::kIndent);
    while (token_ != Token::kOutdent && token_ != Token::kEnd) statement(body);
    consume(Token::kOutdent);
    return body;
  }

  Stmt* def() {
    const Position where = advance();
    Stmt* stmt = make_statement(StmtKind::kDef, where);
    stmt->target = name();
    Function& function = tree_.functions.emplace_back();
    stmt->function = &function;
    function.name = stmt->target->text;
    function.where = where;
    consume(Token::kOpenParen);
    function.parameters = parameters();
    consume(Token::kCloseParen);
    consume(Token::kColon);
    function.body = suite();
    return stmt;
  }

  Stmt* if_statement() {
    Stmt* stmt = make_statement(StmtKind::kIf, start_);
    do {
      advance();  // if or elif
      Branch branch;
      branch.condition = test();
      consume(Token::kColon);
      branch.body = suite();
      stmt->branches.push_back(std::move(branch));
    } while (token_ == Token::kElif);
    if (accept(Token::kElse)) {
      consume(Token::kColon);
      stmt->branches.push_back({nullptr, suite()});
    }
    return stmt;
  }

  Stmt* for_statement() {
    Stmt* stmt = make_statement(StmtKind::kFor, advance());
    stmt->target = loop_variables();
    consume(Token::kIn);
    stmt->value = expression(false);
    consume(Token::kColon);
    stmt->body = suite();
    return stmt;
  }

  void simple_statement(std::vector<Stmt*>& out) {
    do {
      out.push_back(small_statement());
    } while (accept(Token::kSemicolon) && token_ != Token::kNewline && token_ != Token::kEnd);
    if (token_ != Token::kEnd) consume(Token::kNewline);
  }

  Stmt* small_statement() {
    switch (token_) {
      case Token::kReturn: {
        Stmt* stmt = make_statement(StmtKind::kReturn, advance());
        if (token_ != Token::kEnd && token_ != Token::kNewline && token_ != Token::kSemicolon)
          stmt->value = expression(false);
        return stmt;
      }
      case Token::kBreak:
        return make_statement(StmtKind::kBreak, advance());
      case Token::kContinue:
        return make_statement(StmtKind::kContinue, advance());
      case Token::kPass:
        return make_statement(StmtKind::kPass, advance());
      case Token::kLoad:
        return load();
      default:
        break;
    }
    Expr* left = expression(false);
    const auto op = augmented(token_);
    if (!op && token_ != Token::kAssign) {
      Stmt* stmt = make_statement(StmtKind::kExpr, left->start);
      stmt->value = left;
      return stmt;
    }
    Stmt* stmt = make_statement(op ? StmtKind::kAugmented : StmtKind::kAssign, advance());
    stmt->target = left;
    stmt->op = op.value_or(BinaryOp::kAdd);
    stmt->value = expression(false);
    return stmt;
  }

  Stmt* load() {
    Stmt* stmt = make_statement(StmtKind::kLoad, advance());
    const Position paren = consume(Token::kOpenParen);
    if (token_ != Token::kString)
      mistake("first operand of load statement must be a string literal");
    stmt->text = lexer_.string();
    advance();
    while (token_ != Token::kCloseParen && token_ != Token::kEnd) {
      consume(Token::kComma);
      if (token_ == Token::kCloseParen) break;
      stmt->names.push_back(loaded_name());
    }
    consume(Token::kCloseParen);
    if (stmt->names.empty()) mistake(paren, "load statement must import at least 1 symbol");
    return stmt;
  }

  LoadedName loaded_name() {
    LoadedName loaded;
    if (token_ == Token::kName) {
      loaded.local = name();
      const std::string& local = loaded.local->text;
      if (token_ != Token::kAssign)
        mistake(fmt::format(
            "load operand must be \"{0}\" or {0}=\"originalname\" (want '=' after {0})", local));
      advance();
      if (token_ != Token::kString)
        mistake(fmt::format("original name of loaded symbol must be quoted: {}=\"originalname\"",
                            local));
    } else if (token_ != Token::kString) {
      mistake(fmt::format("load operand must be \"name\" or localname=\"name\" (got {})", got()));
    }
    loaded.original = lexer_.string();
    loaded.where = {start_.line, start_.column + 1};  // after the quote
    advance();
    if (loaded.local == nullptr) {
      loaded.local = make(ExprKind::kName, loaded.where, loaded.where);
      loaded.local->text = loaded.original;
    }
    return loaded;
  }
};

}  // namespace

void parse(std::string_view source, SyntaxTree& tree) { Parser(source, tree).file(); }

}  // namespace portico::starlark
