// Static bounds of an expression's cost.
#include <algorithm>
#include <limits>

#include "cel/internal/planner.h"

namespace portico::cel::internal {
namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();

std::uint64_t plus(std::uint64_t a, std::uint64_t b) {
  std::uint64_t out = 0;
  return __builtin_add_overflow(a, b, &out) ? kMost : out;
}

std::uint64_t times(std::uint64_t a, std::uint64_t b) {
  std::uint64_t out = 0;
  return __builtin_mul_overflow(a, b, &out) ? kMost : out;
}

CostRange plus(CostRange a, CostRange b) { return {plus(a.least, b.least), plus(a.most, b.most)}; }

class Estimator {
 public:
  explicit Estimator(std::uint64_t assumed_size) : assumed_(assumed_size) {}

  CostRange cost(const Expr& expr) const {
    switch (expr.kind) {
      case ExprKind::kLiteral:
        return {0, 0};
      case ExprKind::kIdent:
        return {0, 1};
      case ExprKind::kCall:
        return call(expr);
      case ExprKind::kFold:
        return fold(expr);
      // The bound value may never be used.
      case ExprKind::kBind:
        return plus(optional(cost(*expr.target)), plus({1, 1}, cost(*expr.args[0])));
      case ExprKind::kBlock: {
        CostRange out = plus({1, 1}, cost(*expr.target));
        for (const Expr* value : expr.args) out = plus(out, optional(cost(*value)));
        return out;
      }
      default: {
        CostRange out = {1, 1 + expr.args.size()};
        if (expr.target != nullptr) out = plus(out, cost(*expr.target));
        for (const Expr* arg : expr.args) out = plus(out, cost(*arg));
        return constant(expr) ? CostRange{0, out.most} : out;
      }
    }
  }

 private:
  static CostRange optional(CostRange range) { return {0, range.most}; }

  static bool constant(const Expr& expr) {
    if (expr.kind == ExprKind::kLiteral) return true;
    if (expr.kind != ExprKind::kList && expr.kind != ExprKind::kMap &&
        expr.kind != ExprKind::kCall && expr.kind != ExprKind::kMessage)
      return false;
    return (expr.target == nullptr || constant(*expr.target)) &&
           std::all_of(expr.args.begin(), expr.args.end(),
                       [](const Expr* arg) { return constant(*arg); });
  }

  CostRange call(const Expr& expr) const {
    CostRange out = {1, 1};
    if (expr.name == "_&&_" || expr.name == "_||_" || expr.name == "_?_:_") {
      // The first operand is always evaluated, the others may be.
      out = plus(out, cost(*expr.args[0]));
      for (std::size_t i = 1; i < expr.args.size(); ++i)
        out = plus(out, optional(cost(*expr.args[i])));
    } else {
      // Counted once for reading it and once for the result made from it.
      const std::uint64_t each = times(2, plus(1, assumed_ / 10));
      if (expr.target != nullptr) out = plus(plus(out, {0, each}), cost(*expr.target));
      for (const Expr* arg : expr.args) out = plus(plus(out, {0, each}), cost(*arg));
    }
    return constant(expr) ? CostRange{0, out.most} : out;
  }

  CostRange fold(const Expr& expr) const {
    CostRange turn = plus({1, 1}, cost(*expr.args[1]));
    if (expr.args[0] != nullptr) turn = plus(turn, cost(*expr.args[0]));
    const bool written = expr.target->kind == ExprKind::kList;
    const std::uint64_t turns = written ? expr.target->args.size() : assumed_;
    const bool whole = expr.fold == Fold::kFilter || expr.fold == Fold::kMap;
    const std::uint64_t least = written && whole && expr.args[0] == nullptr ? turns : 0;
    return plus(plus({1, plus(1, assumed_ / 10)}, cost(*expr.target)),
                {times(least, turn.least), times(turns, turn.most)});
  }

  std::uint64_t assumed_;
};

}  // namespace

CostRange estimate_cost(const Expr& expr, std::uint64_t assumed_size) {
  return Estimator(assumed_size).cost(expr);
}

}  // namespace portico::cel::internal
