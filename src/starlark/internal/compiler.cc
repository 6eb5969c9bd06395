#include "starlark/internal/compiler.h"

#include <map>
#include <utility>

#include "starlark/internal/operators.h"

namespace portico::starlark::internal {

namespace {

/// Data shared by the functions of one program.
class Pool {
 public:
  explicit Pool(Code& code) : code_(code) {}

  std::uint32_t text(std::string_view text, bool bytes = false) {
    auto [place, added] = texts_.try_emplace({std::string(text), bytes}, 0);
    if (added) {
      auto* object =
          new StringObject(bytes ? ObjectKind::kBytes : ObjectKind::kString, std::string(text));
      object->hash = hash_text(text);
      place->second = constant(adopt(object));
    }
    return place->second;
  }
  std::uint32_t integer(const BigInt& value) {
    if (const auto small = value.to_int64()) return constant(Value(*small));
    return constant(adopt(new BigIntObject(value)));
  }
  std::uint32_t constant(Value value) {
    code_.constants.push_back(value);
    return static_cast<std::uint32_t>(code_.constants.size() - 1);
  }
  std::uint32_t name(std::string_view name) {
    const auto [place, added] =
        names_.try_emplace(std::string(name), static_cast<std::uint32_t>(code_.names.size()));
    if (added) code_.names.emplace_back(name);
    return place->second;
  }
  std::uint32_t load(const Stmt& stmt) {
    LoadCode load{stmt.text, {}};
    for (const LoadedName& one : stmt.names) load.names.push_back(one.original);
    code_.loads.push_back(std::move(load));
    return static_cast<std::uint32_t>(code_.loads.size() - 1);
  }
  FunctionCode& function(std::uint32_t& index) {
    index = static_cast<std::uint32_t>(code_.functions.size());
    return *code_.functions.emplace_back(std::make_unique<FunctionCode>());
  }

 private:
  Value adopt(Object* object) {
    object->next = code_.objects;
    code_.objects = object;
    return Access::value(object);
  }

  Code& code_;
  std::map<std::pair<std::string, bool>, std::uint32_t> texts_;
  std::map<std::string, std::uint32_t> names_;
};

const Expr& without_parens(const Expr& expr) {
  const Expr* inner = &expr;
  while (inner->kind == ExprKind::kParen) inner = inner->args[0];
  return *inner;
}

/// Compiles one function.
class FunctionCompiler {
 public:
  FunctionCompiler(Pool& pool, FunctionCode& code) : pool_(pool), code_(code) {}

  void compile(const Function& function) {
    code_.name = function.name;
    code_.where = function.where;
    code_.locals = function.local_names;
    for (std::size_t i = 0; i < function.locals.size(); ++i)
      if (function.locals[i]->scope == Scope::kCell)
        code_.cells.push_back(static_cast<std::uint32_t>(i));
    code_.has_star = function.has_star;
    code_.has_star_star = function.has_star_star;
    code_.named_only = static_cast<std::uint32_t>(function.named_only);
    for (const Parameter& parameter : function.parameters)
      if (parameter.kind == ParameterKind::kRequired || parameter.kind == ParameterKind::kOptional)
        ++code_.parameters;
    statements(function.body);
    emit_none(function.where);
    emit(Op::kReturn, 0, function.where);
  }

 private:
  using Label = std::size_t;  // of an instruction whose target is still open

  std::size_t here() const { return code_.instructions.size(); }
  Label emit(Op op, std::size_t arg, Position where) {
    code_.instructions.push_back({op, static_cast<std::uint32_t>(arg), where});
    return here() - 1;
  }
  void land(Label label) { code_.instructions[label].arg = static_cast<std::uint32_t>(here()); }
  void emit_none(Position where) { emit(Op::kConstant, pool_.constant(Value()), where); }

  // Names.

  void get(const Binding& binding, Position where) {
    const auto index = static_cast<std::size_t>(binding.index);
    switch (binding.scope) {
      case Scope::kLocal:
        emit(Op::kLocal, index, where);
        break;
      case Scope::kCell:
        emit(Op::kLocalCell, index, where);
        break;
      case Scope::kFree:
        emit(Op::kFreeCell, index, where);
        break;
      case Scope::kGlobal:
        emit(Op::kGlobal, index, where);
        break;
      case Scope::kPredeclared:
        emit(Op::kPredeclared, index, where);
        break;
      case Scope::kUniversal:
      case Scope::kUndefined:
        emit(Op::kUniversal, index, where);
        break;
    }
  }

  void set(const Binding& binding, Position where) {
    const auto index = static_cast<std::size_t>(binding.index);
    const Op op = binding.scope == Scope::kLocal  ? Op::kSetLocal
                  : binding.scope == Scope::kCell ? Op::kSetLocalCell
                                                  : Op::kSetGlobal;
    emit(op, index, where);
  }

  // Statements.

  void statements(const std::vector<Stmt*>& body) {
    for (const Stmt* stmt : body) statement(*stmt);
  }

  void statement(const Stmt& stmt) {
    switch (stmt.kind) {
      case StmtKind::kExpr:
        expression(*stmt.value);
        emit(Op::kPop, 0, stmt.where);
        break;
      case StmtKind::kAssign:
        expression(*stmt.value);
        assign(*stmt.target, stmt.where);
        break;
      case StmtKind::kAugmented:
        augmented(stmt);
        break;
      case StmtKind::kDef:
        function(*stmt.function, stmt.where);
        set(*stmt.target->binding, stmt.where);
        break;
      case StmtKind::kReturn:
        if (stmt.value != nullptr)
          expression(*stmt.value);
        else
          emit_none(stmt.where);
        emit(Op::kReturn, 0, stmt.where);
        break;
      case StmtKind::kBreak:
        loops_.back().breaks.push_back(emit(Op::kJump, 0, stmt.where));
        break;
      case StmtKind::kContinue:
        emit(Op::kJump, loops_.back().start, stmt.where);
        break;
      case StmtKind::kPass:
        break;
      case StmtKind::kIf:
        if_statement(stmt);
        break;
      case StmtKind::kFor:
        for_statement(stmt);
        break;
      case StmtKind::kWhile:
        while_statement(stmt);
        break;
      case StmtKind::kLoad:
        emit(Op::kLoad, pool_.load(stmt), stmt.where);
        for (const LoadedName& one : stmt.names) set(*one.local->binding, one.where);
        break;
    }
  }

  void if_statement(const Stmt& stmt) {
    std::vector<Label> ends;
    for (const Branch& branch : stmt.branches) {
      if (branch.condition == nullptr) {
        statements(branch.body);
        continue;
      }
      const std::vector<Label> skip = condition(*branch.condition, false);
      statements(branch.body);
      if (&branch != &stmt.branches.back()) ends.push_back(emit(Op::kJump, 0, stmt.where));
      land_all(skip);
    }
    land_all(ends);
  }

  void for_statement(const Stmt& stmt) {
    expression(*stmt.value);
    emit(Op::kIterate, 0, stmt.where);
    const Label next = emit(Op::kNext, 0, stmt.where);
    loops_.push_back({next, {}});
    assign(*stmt.target, stmt.where);
    statements(stmt.body);
    emit(Op::kJump, next, stmt.where);
    land(next);
    land_all(loops_.back().breaks);
    loops_.pop_back();
    emit(Op::kEndLoop, 0, stmt.where);
  }

  void while_statement(const Stmt& stmt) {
    loops_.push_back({here(), {}});
    const std::vector<Label> out = condition(*stmt.value, false);
    statements(stmt.body);
    emit(Op::kJump, loops_.back().start, stmt.where);
    land_all(out);
    land_all(loops_.back().breaks);
    loops_.pop_back();
  }

  void land_all(const std::vector<Label>& labels) {
    for (const Label label : labels) land(label);
  }

  /// Emits jumps, to be landed later, for the case that the condition is `when`; else falls
  /// through.
  std::vector<Label> condition(const Expr& expr, bool when) {
    const Expr& inner = without_parens(expr);
    if (inner.kind == ExprKind::kNot) return condition(*inner.args[0], !when);
    if (inner.kind == ExprKind::kAnd || inner.kind == ExprKind::kOr) {
      const bool decides =
          inner.kind == ExprKind::kOr;  // the left side alone decides if it is this
      std::vector<Label> left = condition(*inner.args[0], decides);
      std::vector<Label> right = condition(*inner.args[1], when);
      if (decides == when) {
        left.insert(left.end(), right.begin(), right.end());
        return left;
      }
      land_all(left);
      return right;
    }
    expression(inner);
    return {emit(when ? Op::kJumpIf : Op::kJumpUnless, 0, inner.where)};
  }

  void assign(const Expr& target, Position where) {
    const Expr& inner = without_parens(target);
    switch (inner.kind) {
      case ExprKind::kName:
        set(*inner.binding, inner.start);
        break;
      case ExprKind::kTuple:
      case ExprKind::kList:
        emit(Op::kUnpack, inner.args.size(), where);
        for (const Expr* element : inner.args) assign(*element, where);
        break;
      case ExprKind::kIndex:
        // The value is below its target on the stack.
        expression(*inner.args[0]);
        expression(*inner.args[1]);
        emit(Op::kSetIndex, 1, inner.where);
        break;
      default:
        expression(*inner.args[0]);
        emit(Op::kSetField, pool_.name(inner.text) << 1 | 1, inner.where);
        break;
    }
  }

  void augmented(const Stmt& stmt) {
    const Expr& target = without_parens(*stmt.target);
    if (target.kind == ExprKind::kName) {
      get(*target.binding, target.start);
    } else if (target.kind == ExprKind::kIndex) {
      expression(*target.args[0]);
      expression(*target.args[1]);
      emit(Op::kDuplicateTwo, 0, target.where);
      emit(Op::kIndex, 0, target.where);
    } else {
      expression(*target.args[0]);
      emit(Op::kDuplicate, 0, target.where);
      emit(Op::kAttribute, pool_.name(target.text), target.where);
    }
    expression(*stmt.value);
    if (stmt.op == BinaryOp::kAdd)
      emit(Op::kAddInPlace, 0, stmt.where);
    else if (stmt.op == BinaryOp::kOr)
      emit(Op::kOrInPlace, 0, stmt.where);
    else
      emit(Op::kBinary, static_cast<std::size_t>(stmt.op), stmt.where);
    if (target.kind == ExprKind::kName)
      set(*target.binding, target.start);
    else if (target.kind == ExprKind::kIndex)
      emit(Op::kSetIndex, 0, target.where);
    else
      emit(Op::kSetField, pool_.name(target.text) << 1, target.where);
  }

  // Expressions.

  void expression(const Expr& expr) {
    switch (expr.kind) {
      case ExprKind::kName:
        get(*expr.binding, expr.start);
        break;
      case ExprKind::kInt:
        emit(Op::kConstant, pool_.integer(expr.integer), expr.start);
        break;
      case ExprKind::kFloat:
        emit(Op::kConstant, pool_.constant(Value(expr.number)), expr.start);
        break;
      case ExprKind::kString:
      case ExprKind::kBytes:
        emit(Op::kConstant, pool_.text(expr.text, expr.kind == ExprKind::kBytes), expr.start);
        break;
      case ExprKind::kList:
      case ExprKind::kTuple:
        for (const Expr* arg : expr.args) expression(*arg);
        emit(expr.kind == ExprKind::kList ? Op::kList : Op::kTuple, expr.args.size(), expr.start);
        break;
      case ExprKind::kDict:
        emit(Op::kDict, 0, expr.start);
        for (std::size_t i = 0; i < expr.args.size(); i += 2) {
          expression(*expr.args[i]);
          expression(*expr.args[i + 1]);
          emit(Op::kInsert, 0, expr.args[i + 1]->where);
        }
        break;
      case ExprKind::kConditional:
        conditional(expr);
        break;
      case ExprKind::kUnary:
        expression(*expr.args[0]);
        emit(Op::kUnary, static_cast<std::size_t>(expr.unary), expr.where);
        break;
      case ExprKind::kNot:
        expression(*expr.args[0]);
        emit(Op::kNot, 0, expr.where);
        break;
      case ExprKind::kAnd:
      case ExprKind::kOr: {
        expression(*expr.args[0]);
        emit(Op::kDuplicate, 0, expr.where);
        const Label done =
            emit(expr.kind == ExprKind::kOr ? Op::kJumpIf : Op::kJumpUnless, 0, expr.where);
        emit(Op::kPop, 0, expr.where);
        expression(*expr.args[1]);
        land(done);
        break;
      }
      case ExprKind::kBinary:
        expression(*expr.args[0]);
        expression(*expr.args[1]);
        emit(Op::kBinary, static_cast<std::size_t>(expr.binary), expr.where);
        break;
      case ExprKind::kIndex:
        expression(*expr.args[0]);
        expression(*expr.args[1]);
        emit(Op::kIndex, 0, expr.where);
        break;
      case ExprKind::kSlice:
        for (const Expr* arg : expr.args) {
          if (arg != nullptr)
            expression(*arg);
          else
            emit_none(expr.where);
        }
        emit(Op::kSlice, 0, expr.where);
        break;
      case ExprKind::kAttribute:
        expression(*expr.args[0]);
        emit(Op::kAttribute, pool_.name(expr.text), expr.where);
        break;
      case ExprKind::kCall:
        call(expr);
        break;
      case ExprKind::kLambda:
        function(*expr.function, expr.start);
        break;
      case ExprKind::kComprehension:
        emit(expr.curly ? Op::kDict : Op::kList, 0, expr.start);
        comprehension(expr, 0);
        break;
      case ExprKind::kParen:
        expression(*expr.args[0]);
        break;
    }
  }

  void conditional(const Expr& expr) {
    const std::vector<Label> otherwise = condition(*expr.args[0], false);
    expression(*expr.args[1]);
    const Label done = emit(Op::kJump, 0, expr.where);
    land_all(otherwise);
    expression(*expr.args[2]);
    land(done);
  }

  void call(const Expr& expr) {
    CallShape shape;
    const Expr& callee = without_parens(*expr.args[0]);
    shape.method = callee.kind == ExprKind::kAttribute;
    if (shape.method) {
      expression(*callee.args[0]);
      emit(Op::kMethod, pool_.name(callee.text), callee.where);
    } else {
      expression(callee);
    }
    const Expr* star = nullptr;
    const Expr* star_star = nullptr;
    for (const Argument& argument : expr.arguments) {
      switch (argument.kind) {
        case ArgumentKind::kPositional:
          expression(*argument.value);
          ++shape.positional;
          break;
        case ArgumentKind::kNamed:
          emit(Op::kConstant, pool_.text(argument.name), argument.where);
          expression(*argument.value);
          ++shape.named;
          break;
        case ArgumentKind::kStar:
          star = argument.value;
          break;
        case ArgumentKind::kStarStar:
          star_star = argument.value;
          break;
      }
    }
    shape.star = star != nullptr;
    shape.star_star = star_star != nullptr;
    if (star != nullptr) expression(*star);
    if (star_star != nullptr) expression(*star_star);
    emit(Op::kCall, shape.packed(), expr.where);
  }

  /// Compiles the clauses from `index` on; the list or dict is on top of the stack.
  void comprehension(const Expr& expr, std::size_t index) {
    if (index == expr.clauses.size()) {
      emit(Op::kDuplicate, 0, expr.start);
      for (const Expr* arg : expr.args) expression(*arg);
      emit(expr.curly ? Op::kPut : Op::kAppend, 0, expr.curly ? expr.args[1]->where : expr.start);
      return;
    }
    const Clause& clause = expr.clauses[index];
    if (clause.target == nullptr) {
      const std::vector<Label> skip = condition(*clause.operand, false);
      comprehension(expr, index + 1);
      land_all(skip);
      return;
    }
    expression(*clause.operand);
    emit(Op::kIterate, 0, clause.where);
    const Label next = emit(Op::kNext, 0, clause.where);
    assign(*clause.target, clause.where);
    comprehension(expr, index + 1);
    emit(Op::kJump, next, clause.where);
    land(next);
    emit(Op::kEndLoop, 0, clause.where);
  }

  void function(const Function& inner, Position where) {
    // From the first optional parameter on, each has a default or the mark for none.
    std::uint32_t defaults = 0;
    bool after_star = false;
    for (const Parameter& parameter : inner.parameters) {
      after_star = after_star || parameter.kind == ParameterKind::kStar;
      if (parameter.kind == ParameterKind::kOptional) {
        expression(*parameter.value);
        ++defaults;
      } else if (parameter.kind == ParameterKind::kRequired && after_star) {
        emit(Op::kUnset, 0, parameter.where);
        ++defaults;
      }
    }
    for (const Binding* binding : inner.free)
      emit(binding->scope == Scope::kFree ? Op::kFree : Op::kCell,
           static_cast<std::size_t>(binding->index), where);
    std::uint32_t index = 0;
    FunctionCode& code = pool_.function(index);
    FunctionCompiler(pool_, code).compile(inner);
    code.defaults = defaults;
    code.free = inner.free_names;
    emit(Op::kFunction, index, where);
  }

  struct Loop {
    std::size_t start;
    std::vector<Label> breaks;
  };

  Pool& pool_;
  FunctionCode& code_;
  std::vector<Loop> loops_;
};

}  // namespace

Code::~Code() {
  while (objects != nullptr) {
    Object* next = objects->next;
    destroy(objects);
    objects = next;
  }
}

std::shared_ptr<const Code> compile(const SyntaxTree& tree, std::string_view name,
                                    const std::vector<std::string>& predeclared, Dialect dialect) {
  auto code = std::make_shared<Code>();
  code->name = name;
  code->dialect = dialect;
  code->globals = tree.globals;
  code->predeclared = predeclared;
  Pool pool(*code);
  FunctionCompiler(pool, code->top).compile(tree.top);
  return code;
}

}  // namespace portico::starlark::internal
