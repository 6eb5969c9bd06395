// Parses expressions; the statement parser builds on it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "starlark_syntax/lexer.h"
#include "starlark_syntax/syntax.h"

namespace portico::starlark {

/// Every function starts at its first token and ends after its last.
class ExpressionParser {
 public:
  ExpressionParser(std::string_view source, SyntaxTree& tree) : lexer_(source), tree_(tree) {
    advance();
  }

 protected:
  /// Tracks the recursion depth of the parser.
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
  /// At the current position: after the token.
  [[noreturn]] void mistake(std::string message);
  std::string got() const;

  /// Returns the position of the token that it moves past.
  Position advance();
  Position consume(Token wanted);
  bool accept(Token token);

  Expr* make(ExprKind kind, Position start, Position where);

  Expr* name();
  std::vector<Parameter> parameters();
  /// Not an expression: that would parse "x in y" as one.
  Expr* loop_variables();
  /// One test, or several separated by commas: a tuple.
  Expr* expression(bool in_parens);
  Expr* test();

  Lexer lexer_;
  SyntaxTree& tree_;
  Token token_ = Token::kEnd;
  Position start_;  // of the token

 private:
  /// Adds a child, which may be nullptr.
  static Expr* add(Expr* parent, Expr* child);
  static void deepen(Expr* parent, const Expr* child);

  void more_elements(Expr* list, bool allow_trailing_comma);
  Expr* lambda(bool allow_condition);
  Expr* test_without_condition();
  /// The level of the current operator; -1 if there is none.
  int level();
  /// Operands and operators of level `least` and above.
  Expr* operators(int least);
  Expr* operation(Expr* left, int level);
  Expr* primary_with_suffix();
  Expr* index(Expr* operand);
  Expr* call(Expr* function);
  Expr* primary();
  Expr* list();
  Expr* dict();
  /// Errors about an entry point to its colon, which is stored as the position of the value.
  void entry(Expr* dict);
  /// Turns a list or dict with one element into a comprehension.
  Expr* comprehension(Expr* expr, Token close);

  int nesting_ = 0;
};

}  // namespace portico::starlark
