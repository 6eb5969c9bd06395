// The part of the parser that is about expressions; statements build on it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "starlark_syntax/lexer.h"
#include "starlark_syntax/syntax.h"

namespace portico::starlark {

/// Every function begins at its first token and ends behind its last.
class ExpressionParser {
 public:
  ExpressionParser(std::string_view source, SyntaxTree& tree) : lexer_(source), tree_(tree) {
    advance();
  }

 protected:
  /// Counts how far the parser calls itself.
  class Nested {
   public:
    explicit Nested(ExpressionParser& parser);
    ~Nested() { --parser_.nesting_; }
    Nested(const Nested&) = delete;
    Nested& operator=(const Nested&) = delete;

   private:
    ExpressionParser& parser_;
  };

  [[noreturn]] static void mistake(Position where, std::string message);
  /// At the place where reading is: behind the token.
  [[noreturn]] void mistake(std::string message);
  std::string got() const;

  /// The position of the token that is left behind.
  Position advance();
  Position consume(Token wanted);
  bool accept(Token token);

  Expr* make(ExprKind kind, Position start, Position where);

  Expr* name();
  std::vector<Parameter> parameters();
  /// Not an expression: that would take "x in y" for one.
  Expr* loop_variables();
  /// One test, or several with commas between them: a tuple.
  Expr* expression(bool in_parens);
  Expr* test();

  Lexer lexer_;
  SyntaxTree& tree_;
  Token token_ = Token::kEnd;
  Position start_;  // of the token

 private:
  /// Adds a child, which may be missing.
  static Expr* add(Expr* parent, Expr* child);
  static void deepen(Expr* parent, const Expr* child);

  void more_elements(Expr* list, bool allow_trailing_comma);
  Expr* lambda(bool allow_condition);
  Expr* test_without_condition();
  /// The level of the operator that stands here; -1 where there is none.
  int level();
  /// Operands and operators of at least the level `least`.
  Expr* operators(int least);
  Expr* operation(Expr* left, int level);
  Expr* primary_with_suffix();
  Expr* index(Expr* operand);
  Expr* call(Expr* function);
  Expr* primary();
  Expr* list();
  Expr* dict();
  /// An error about an entry points to its colon, which is kept as the place of the value.
  void entry(Expr* dict);
  /// Turns a list or dict of one element into a comprehension.
  Expr* comprehension(Expr* expr, Token close);

  int nesting_ = 0;
};

}  // namespace portico::starlark
