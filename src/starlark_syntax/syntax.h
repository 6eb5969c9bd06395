// The syntax tree: built by the parser, names resolved by the resolver.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "starlark_syntax/big_int.h"
#include "starlark_syntax/operator.h"
#include "starlark_syntax/position.h"

namespace portico::starlark {

/// The storage of a name's value.
enum class Scope : std::uint8_t {
  kUndefined,
  kLocal,        // a slot of the function
  kCell,         // a slot that inner functions use as well
  kFree,         // a cell of an outer function
  kGlobal,       // of the module
  kPredeclared,  // of the environment
  kUniversal,    // of the language
};

struct Binding {
  Scope scope = Scope::kUndefined;
  int index = 0;
};

struct Function;

enum class ExprKind : std::uint8_t {
  kName,           // text; binding
  kInt,            // integer
  kFloat,          // number
  kString,         // text
  kBytes,          // text
  kList,           // args
  kTuple,          // args
  kDict,           // args: key, value, key, value, ...
  kConditional,    // args: condition, then, otherwise
  kUnary,          // unary, args[0]
  kNot,            // args[0]
  kAnd,            // args: left, right
  kOr,             // args: left, right
  kBinary,         // binary, args: left, right
  kIndex,          // args: operand, key
  kSlice,          // args: operand, low, high, step; all but the first may be nullptr
  kAttribute,      // args[0], text
  kCall,           // args[0] is the function, arguments are the rest
  kLambda,         // function
  kComprehension,  // clauses, args: body, or key and value
  kParen,          // args[0]
};

enum class ArgumentKind : std::uint8_t { kPositional, kNamed, kStar, kStarStar };

struct Expr;

struct Argument {
  ArgumentKind kind = ArgumentKind::kPositional;
  Position where;
  std::string name;  // of a named argument
  Expr* value = nullptr;
};

/// `for target in operand`, or `if operand` if there is no target.
struct Clause {
  Position where;
  Expr* target = nullptr;
  Expr* operand = nullptr;
};

struct Expr {
  ExprKind kind = ExprKind::kName;
  Position start;  // of the whole expression
  Position where;  // position for errors: the operator, the dot, the bracket
  int depth = 1;   // of the tree
  UnaryOp unary = UnaryOp::kPlus;
  BinaryOp binary = BinaryOp::kAdd;
  bool curly = false;  // a comprehension that makes a dict
  std::string text;
  BigInt integer;
  double number = 0;
  std::vector<Expr*> args;
  std::vector<Argument> arguments;
  std::vector<Clause> clauses;
  Binding* binding = nullptr;  // of a name; several names share one
  Function* function = nullptr;
};

enum class StmtKind : std::uint8_t {
  kExpr,       // value
  kAssign,     // target = value
  kAugmented,  // target op= value
  kDef,        // function; target is its name
  kReturn,     // value or nullptr
  kBreak,
  kContinue,
  kPass,
  kIf,     // branches; the last one has no condition if it is an else
  kFor,    // for target in value: body
  kWhile,  // while value: body
  kLoad,   // text is the module, names
};

struct Stmt;

struct Branch {
  Expr* condition = nullptr;
  std::vector<Stmt*> body;
};

struct LoadedName {
  Expr* local = nullptr;  // a name
  std::string original;
  Position where;  // of the original
};

struct Stmt {
  StmtKind kind = StmtKind::kPass;
  Position where;
  BinaryOp op = BinaryOp::kAdd;
  Expr* target = nullptr;
  Expr* value = nullptr;
  std::string text;
  Function* function = nullptr;
  std::vector<Stmt*> body;
  std::vector<Branch> branches;
  std::vector<LoadedName> names;
};

enum class ParameterKind : std::uint8_t { kRequired, kOptional, kStar, kStarStar };

struct Parameter {
  ParameterKind kind = ParameterKind::kRequired;
  Position where;
  Expr* name = nullptr;   // nullptr for a bare *
  Expr* value = nullptr;  // the default
};

struct Function {
  std::string name;
  Position where;
  std::vector<Parameter> parameters;
  std::vector<Stmt*> body;
  // Set by the resolver. Parameters come first: positional, then named-only, then *args and
  // **kwargs.
  std::vector<Binding*> locals;
  std::vector<std::string> local_names;
  std::vector<Binding*> free;  // bindings in the outer function
  std::vector<std::string> free_names;
  bool has_star = false;
  bool has_star_star = false;
  int named_only = 0;
};

/// Owns the tree of one source.
struct SyntaxTree {
  Function top;  // the statements of the file; its locals are those of comprehensions and loads
  std::vector<std::string> globals;
  std::deque<Expr> exprs;
  std::deque<Stmt> stmts;
  std::deque<Function> functions;
  std::deque<Binding> bindings;
};

}  // namespace portico::starlark
