#include "starlark_syntax/resolver.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "base/spelling.h"

namespace portico::starlark {

namespace {

constexpr std::size_t kMostArguments = 255;

/// A function, a comprehension, or the file.
struct Block {
  Block* parent = nullptr;
  Function* function = nullptr;  // for the file: its top
  bool comprehension = false;
  std::map<std::string, Binding*, std::less<>> names;
  /// For a function or the file: names used in it and in its comprehensions, with their block.
  std::vector<std::pair<Expr*, Block*>> uses;
  std::vector<std::unique_ptr<Block>> inner;
};

std::string_view kind_name(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::kInt:
    case ExprKind::kFloat:
    case ExprKind::kString:
    case ExprKind::kBytes:
      return "literal";
    case ExprKind::kDict:
      return "dictexpr";
    case ExprKind::kConditional:
      return "condexpr";
    case ExprKind::kUnary:
    case ExprKind::kNot:
      return "unaryexpr";
    case ExprKind::kAnd:
    case ExprKind::kOr:
    case ExprKind::kBinary:
      return "binaryexpr";
    case ExprKind::kSlice:
      return "sliceexpr";
    case ExprKind::kCall:
      return "callexpr";
    case ExprKind::kLambda:
      return "lambdaexpr";
    default:
      return "comprehension";
  }
}

class Resolver {
 public:
  Resolver(SyntaxTree& tree, const std::vector<std::string>& predeclared, Dialect dialect,
           std::string_view file)
      : tree_(tree), predeclared_(predeclared), dialect_(dialect), name_(file) {
    file_.function = &tree.top;
    block_ = &file_;
  }

  void run() {
    statements(tree_.top.body);
    resolve_local_uses(file_);
    resolve_other_uses(file_);
  }

 private:
  template <class... Args>
  [[noreturn]] static void mistake(Position where, fmt::format_string<Args...> text,
                                   Args&&... args) {
    throw SyntaxError{where, fmt::format(text, std::forward<Args>(args)...)};
  }

  bool in_function() { return container().function != &tree_.top; }

  /// The function or file around the current block.
  Block& container() {
    Block* block = block_;
    while (block->comprehension) block = block->parent;
    return *block;
  }

  Block& enter(Function* function, bool comprehension) {
    auto& inner = *block_->inner.emplace_back(std::make_unique<Block>());
    inner.parent = block_;
    inner.function = function;
    inner.comprehension = comprehension;
    block_ = &inner;
    return inner;
  }
  void leave() { block_ = block_->parent; }

  Binding* make(Scope scope, std::size_t index) {
    return &tree_.bindings.emplace_back(Binding{scope, static_cast<int>(index)});
  }

  // Assigned names.

  /// Returns true if the block already had the name.
  bool bind(Expr* name) {
    if (block_ != &file_) return bind_local(name);
    const auto local = file_.names.find(name->text);
    const auto known = globals_.find(name->text);
    const bool there = local != file_.names.end() || known != globals_.end();
    if (there && !dialect_.top_level)
      mistake(name->start, "cannot reassign {} {} declared at {}",
              local != file_.names.end() ? "local" : "global", name->text,
              place(declared_[name->text]));
    if (local != file_.names.end()) {
      name->binding = local->second;
    } else if (known != globals_.end()) {
      name->binding = known->second;
    } else {
      name->binding = globals_[name->text] = make(Scope::kGlobal, tree_.globals.size());
      tree_.globals.push_back(name->text);
      declared_[name->text] = name->start;
    }
    return there;
  }

  bool bind_local(Expr* name) {
    const bool there = block_->names.contains(name->text);
    if (!there) {
      Function& function = *container().function;
      Binding* binding = make(Scope::kLocal, function.locals.size());
      function.locals.push_back(binding);
      function.local_names.push_back(name->text);
      block_->names[name->text] = binding;
      if (block_ == &file_) declared_[name->text] = name->start;
    }
    use(name);
    return there;
  }

  std::string place(Position where) const {
    return fmt::format("{}:{}:{}", name_, where.line, where.column);
  }

  // Used names.

  void use(Expr* name) {
    // If globals can be reassigned, a name refers to its latest binding, as in Python.
    if (dialect_.top_level && block_ == &file_)
      use_top_level(name, &file_);
    else
      container().uses.emplace_back(name, block_);
  }

  Binding* use_top_level(Expr* name, const Block* block) {
    if (const auto local = file_.names.find(name->text); local != file_.names.end())
      return name->binding = local->second;
    if (const auto global = globals_.find(name->text); global != globals_.end())
      return name->binding = global->second;
    if (const auto known = others_.find(name->text); known != others_.end())
      return name->binding = known->second;
    const auto given = std::find(predeclared_.begin(), predeclared_.end(), name->text);
    if (given != predeclared_.end())
      return name->binding = others_[name->text] =
                 make(Scope::kPredeclared, static_cast<std::size_t>(given - predeclared_.begin()));
    const auto& all = universe();
    const auto built_in = std::lower_bound(all.begin(), all.end(), name->text);
    if (built_in != all.end() && *built_in == name->text) {
      if (name->text == "set" && !dialect_.sets)
        mistake(name->start, "this Starlark dialect does not support sets");
      return name->binding = others_[name->text] =
                 make(Scope::kUniversal, static_cast<std::size_t>(built_in - all.begin()));
    }
    mistake(name->start, "undefined: {}{}", name->text, hint_for(name->text, block));
  }

  std::string hint_for(std::string_view name, const Block* block) {
    std::set<std::string_view> candidates;
    for (; block != nullptr; block = block->parent)
      for (const auto& [one, binding] : block->names) candidates.insert(one);
    for (const std::string& one : tree_.globals) candidates.insert(one);
    return hint(name, {candidates.begin(), candidates.end()});
  }

  /// Names of the function itself, including its comprehensions.
  static Binding* find_local(std::string_view name, Block* block) {
    for (;; block = block->parent) {
      if (const auto found = block->names.find(name); found != block->names.end())
        return found->second;
      if (!block->comprehension) return nullptr;
    }
  }

  static void resolve_local_uses(Block& block) {
    std::erase_if(block.uses, [](const auto& use) {
      Binding* binding = find_local(use.first->text, use.second);
      if (binding != nullptr) use.first->binding = binding;
      return binding != nullptr;
    });
  }

  void resolve_other_uses(Block& block) {
    for (const auto& inner : block.inner) resolve_other_uses(*inner);
    for (const auto& [name, where] : block.uses) name->binding = find_outside(name, where, where);
  }

  Binding* find_outside(Expr* name, Block* block, const Block* from) {
    if (block == &file_) return use_top_level(name, from);
    if (const auto found = block->names.find(name->text); found != block->names.end())
      return found->second;
    Binding* binding = find_outside(name, block->parent, from);
    const bool of_function = binding->scope == Scope::kLocal || binding->scope == Scope::kCell ||
                             binding->scope == Scope::kFree;
    if (!block->comprehension && of_function) {
      if (binding->scope == Scope::kLocal) binding->scope = Scope::kCell;
      block->function->free.push_back(binding);
      block->function->free_names.push_back(name->text);
      binding = make(Scope::kFree, block->function->free.size() - 1);
    }
    block->names[name->text] = binding;
    return binding;
  }

  // Statements.

  void statements(const std::vector<Stmt*>& body) {
    for (Stmt* stmt : body) statement(*stmt);
  }

  void require_function(const Stmt& stmt, std::string_view what) {
    if (!dialect_.top_level && !in_function())
      mistake(stmt.where, "{} not within a function", what);
  }

  void statement(Stmt& stmt) {
    switch (stmt.kind) {
      case StmtKind::kExpr:
        return expression(stmt.value);
      case StmtKind::kAssign:
      case StmtKind::kAugmented:
        expression(stmt.value);
        return assign(stmt.target, stmt.kind == StmtKind::kAugmented);
      case StmtKind::kDef:
        bind(stmt.target);
        return function(*stmt.function);
      case StmtKind::kReturn:
        if (!in_function()) mistake(stmt.where, "return statement not within a function");
        if (stmt.value != nullptr) expression(stmt.value);
        return;
      case StmtKind::kBreak:
      case StmtKind::kContinue:
        if (loops_ == 0)
          mistake(stmt.where, "{} not in a loop",
                  stmt.kind == StmtKind::kBreak ? "break" : "continue");
        return;
      case StmtKind::kPass:
        return;
      case StmtKind::kIf:
        require_function(stmt, "if statement");
        for (const Branch& branch : stmt.branches) {
          if (branch.condition != nullptr) expression(branch.condition);
          ++conditions_;
          statements(branch.body);
          --conditions_;
        }
        return;
      case StmtKind::kFor:
        require_function(stmt, "for loop");
        expression(stmt.value);
        assign(stmt.target, false);
        return loop(stmt);
      case StmtKind::kWhile:
        if (!dialect_.recursion)
          mistake(stmt.where, "this Starlark dialect does not support while loops");
        require_function(stmt, "while loop");
        expression(stmt.value);
        return loop(stmt);
      case StmtKind::kLoad:
        return load(stmt);
    }
  }

  void loop(const Stmt& stmt) {
    ++loops_;
    statements(stmt.body);
    --loops_;
  }

  void load(const Stmt& stmt) {
    if (in_function()) mistake(stmt.where, "load statement within a function");
    if (loops_ > 0) mistake(stmt.where, "load statement within a loop");
    if (conditions_ > 0) mistake(stmt.where, "load statement within a conditional");
    for (const LoadedName& loaded : stmt.names) {
      if (loaded.original.empty()) mistake(loaded.where, "load: empty identifier");
      if (loaded.original[0] == '_')
        mistake(loaded.where, "load: names with leading underscores are not exported: {}",
                loaded.original);
      if (bind_local(loaded.local) && !dialect_.top_level)
        mistake(loaded.local->start, "cannot reassign top-level {}", loaded.local->text);
    }
  }

  void assign(Expr* target, bool is_augmented) {
    switch (target->kind) {
      case ExprKind::kName:
        bind(target);
        return;
      case ExprKind::kIndex:
        expression(target->args[0]);
        return expression(target->args[1]);
      case ExprKind::kAttribute:
        return expression(target->args[0]);
      case ExprKind::kParen:
        return assign(target->args[0], is_augmented);
      case ExprKind::kTuple:
      case ExprKind::kList:
        if (is_augmented)
          mistake(target->start, "can't use {} expression in augmented assignment",
                  target->kind == ExprKind::kTuple ? "tuple" : "list");
        for (Expr* element : target->args) assign(element, false);
        return;
      default:
        mistake(target->start, "can't assign to {}", kind_name(*target));
    }
  }

  // Expressions.

  void expression(Expr* expr) {
    switch (expr->kind) {
      case ExprKind::kName:
        return use(expr);
      case ExprKind::kLambda:
        return function(*expr->function);
      case ExprKind::kComprehension:
        return comprehension(*expr);
      case ExprKind::kCall:
        expression(expr->args[0]);
        return arguments(*expr);
      default:
        for (Expr* arg : expr->args)
          if (arg != nullptr) expression(arg);
    }
  }

  void comprehension(Expr& expr) {
    // The operand of the first `for` is outside the comprehension: [x for x in x].
    expression(expr.clauses.front().operand);
    enter(nullptr, true);
    for (std::size_t i = 0; i < expr.clauses.size(); ++i) {
      const Clause& clause = expr.clauses[i];
      if (clause.target != nullptr) assign(clause.target, false);
      if (i > 0) expression(clause.operand);
    }
    for (Expr* arg : expr.args) expression(arg);
    leave();
  }

  void arguments(const Expr& call) {
    bool star = false;
    bool star_star = false;
    std::set<std::string_view> names;
    std::size_t positional = 0;
    for (const Argument& argument : call.arguments) {
      switch (argument.kind) {
        case ArgumentKind::kStarStar:
          if (star_star) mistake(argument.where, "multiple **kwargs not allowed");
          star_star = true;
          break;
        case ArgumentKind::kStar:
          if (star_star) mistake(argument.where, "*args may not follow **kwargs");
          if (star) mistake(argument.where, "multiple *args not allowed");
          star = true;
          break;
        case ArgumentKind::kNamed:
          if (star_star) mistake(argument.where, "keyword argument may not follow **kwargs");
          if (star) mistake(argument.where, "keyword argument may not follow *args");
          if (!names.insert(argument.name).second)
            mistake(argument.where, "keyword argument \"{}\" is repeated", argument.name);
          break;
        case ArgumentKind::kPositional:
          ++positional;
          if (star_star) mistake(argument.where, "positional argument may not follow **kwargs");
          if (star) mistake(argument.where, "positional argument may not follow *args");
          if (!names.empty()) mistake(argument.where, "positional argument may not follow named");
          break;
      }
      expression(argument.value);
    }
    if (positional > kMostArguments)
      mistake(call.where, "{} positional arguments in call, limit is {}", positional,
              kMostArguments);
    if (names.size() > kMostArguments)
      mistake(call.where, "{} keyword arguments in call, limit is {}", names.size(),
              kMostArguments);
  }

  void bind_parameter(Expr* name, Position where) {
    if (bind(name)) mistake(where, "duplicate parameter: {}", name->text);
  }

  void function(Function& function) {
    // Defaults belong to the outer scope.
    for (const Parameter& parameter : function.parameters)
      if (parameter.value != nullptr) expression(parameter.value);
    const int loops = std::exchange(loops_, 0);
    const int conditions = std::exchange(conditions_, 0);
    Block& block = enter(&function, false);
    parameters(function);
    statements(function.body);
    resolve_local_uses(block);
    leave();
    loops_ = loops;
    conditions_ = conditions;
  }

  void parameters(Function& function) {
    const Parameter* star = nullptr;
    const Parameter* star_star = nullptr;
    bool optional = false;
    for (const Parameter& parameter : function.parameters) {
      const bool required = parameter.kind == ParameterKind::kRequired;
      switch (parameter.kind) {
        case ParameterKind::kRequired:
        case ParameterKind::kOptional:
          if (star_star != nullptr)
            mistake(parameter.where, "{} parameter may not follow **{}",
                    required ? "required" : "optional", star_star->name->text);
          if (star != nullptr)
            ++function.named_only;
          else if (required && optional)
            mistake(parameter.where, "required parameter may not follow optional");
          bind_parameter(parameter.name, parameter.where);
          optional = optional || !required;
          break;
        case ParameterKind::kStar:
          if (star_star != nullptr)
            mistake(parameter.where, "* parameter may not follow **{}", star_star->name->text);
          if (star != nullptr) mistake(parameter.where, "multiple * parameters not allowed");
          star = &parameter;
          break;
        case ParameterKind::kStarStar:
          if (star_star != nullptr) mistake(parameter.where, "multiple ** parameters not allowed");
          star_star = &parameter;
          break;
      }
    }
    // Last, so that the slots of the other parameters are contiguous.
    if (star != nullptr && star->name != nullptr) {
      bind_parameter(star->name, star->name->start);
      function.has_star = true;
    } else if (star != nullptr && function.named_only == 0) {
      mistake(star->where, "bare * must be followed by keyword-only parameters");
    }
    if (star_star != nullptr) {
      bind_parameter(star_star->name, star_star->name->start);
      function.has_star_star = true;
    }
  }

  SyntaxTree& tree_;
  const std::vector<std::string>& predeclared_;
  Dialect dialect_;
  std::string_view name_;
  Block file_;
  Block* block_ = nullptr;
  std::map<std::string, Binding*, std::less<>> globals_;
  std::map<std::string, Binding*, std::less<>> others_;
  std::map<std::string, Position, std::less<>> declared_;
  int loops_ = 0;
  int conditions_ = 0;
};

}  // namespace

const std::vector<std::string_view>& universe() {
  static const std::vector<std::string_view> kNames = {
      "False", "None",   "True",      "abs",   "all",   "any",     "bool",    "bytes", "chr",
      "dict",  "dir",    "enumerate", "fail",  "float", "getattr", "hasattr", "hash",  "int",
      "len",   "list",   "max",       "min",   "ord",   "print",   "range",   "repr",  "reversed",
      "set",   "sorted", "str",       "tuple", "type",  "zip"};
  return kNames;
}

void resolve(SyntaxTree& tree, const std::vector<std::string>& predeclared, Dialect dialect,
             std::string_view file) {
  Resolver(tree, predeclared, dialect, file).run();
}

}  // namespace portico::starlark
