// The syntax tree: built by the parser, rewritten by macros, annotated by the checker.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "cel/type.h"
#include "cel/value.h"

namespace portico::cel {

enum class ExprKind : std::uint8_t {
  kLiteral,  // value
  kIdent,    // name; absolute if written with a leading dot
  kSelect,   // target.name; optional for .?, test for has(target.name)
  kCall,     // target.name(args) or name(args); operators are calls ("_+_", "_[_]", "_?_:_")
  kList,     // args; optional_items marks [?x]
  kMap,      // args are key, value, key, value; optional_items marks {?k: v}, one flag per pair
  kMessage,  // name{args}: args are the values, fields their names
  kFold,     // a comprehension over target
  kBind,     // var1 stands for target in args[0]
  kBlock,    // args are named @index0, @index1, ... in target
};

/// The result of a comprehension. args[0] is the filter or nullptr, args[1] the body.
enum class Fold : std::uint8_t {
  kAll,
  kExists,
  kExistsOne,
  kFilter,             // a list of the elements for which the body is true
  kMap,                // a list of the body's values
  kTransformMap,       // the same keys, with the body's values
  kTransformMapEntry,  // the union of the body's values, each a map
  kOptMap,             // an optional: the body applied to the target's content
  kOptFlatMap,         // the same for a body that is itself an optional
};

struct Expr {
  ExprKind kind = ExprKind::kLiteral;
  Fold fold = Fold::kAll;
  bool absolute = false;
  bool optional = false;
  bool test = false;
  std::uint16_t depth = 0;   // of the tree, for the limits; 0 if not measured yet
  std::uint32_t anchor = 0;  // offset for errors about the expression: the operator, the dot
  Span span;                 // the whole expression
  std::string name;          // identifier, field, function or message
  std::string var1, var2;    // of a fold or bind; var2 is "" if there is only one
  Value value;               // of a literal
  Expr* target = nullptr;
  std::vector<Expr*> args;
  std::vector<bool> optional_items;
  std::vector<std::string> fields;

  // Set by the checker.
  Type type;
  bool checked = false;
  std::vector<std::uint16_t> overloads;  // of a call: the overloads of the function that fit
};

/// The expressions of one text. Pointers stay valid for the lifetime of the Ast.
class Ast {
 public:
  Expr* make(ExprKind kind, Span span, std::uint32_t anchor) {
    Expr& expr = pool_.emplace_back();
    expr.kind = kind;
    expr.span = span;
    expr.anchor = anchor;
    return &expr;
  }
  std::size_t size() const { return pool_.size(); }
  template <class Visit>
  void for_each(const Visit& visit) {
    for (Expr& expr : pool_) visit(expr);
  }

  Expr* root = nullptr;

 private:
  std::deque<Expr> pool_;
};

}  // namespace portico::cel
