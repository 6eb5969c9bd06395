#include "cel_lib/cost.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string_view>
#include <vector>

namespace portico::cel_lib {
namespace {

using cel::CostRange;
using cel::Expr;
using cel::ExprKind;
using cel::Fold;
using cel::TypeKind;

constexpr double kOfText = 0.1;      // a character or element that is read
constexpr double kOfPattern = 0.25;  // a character of a regular expression
constexpr std::uint64_t kNewList = 10, kNewMap = 30, kNewMessage = 40;

std::uint64_t plus(std::uint64_t a, std::uint64_t b) {
  std::uint64_t out = 0;
  return __builtin_add_overflow(a, b, &out) ? kUnbounded : out;
}
std::uint64_t times(std::uint64_t a, std::uint64_t b) {
  std::uint64_t out = 0;
  return __builtin_mul_overflow(a, b, &out) ? kUnbounded : out;
}
std::uint64_t times(std::uint64_t a, double factor) {
  const double out = std::ceil(static_cast<double>(a) * factor);
  // 2^64 itself does not fit into uint64.
  return out >= 0x1p64 ? kUnbounded : static_cast<std::uint64_t>(out);
}

CostRange operator+(CostRange a, CostRange b) {
  return {plus(a.least, b.least), plus(a.most, b.most)};
}
CostRange operator*(SizeRange a, double factor) {
  return {times(a.least, factor), times(a.most, factor)};
}
CostRange operator*(SizeRange a, CostRange b) {
  return {times(a.least, b.least), times(a.most, b.most)};
}
CostRange operator*(CostRange a, CostRange b) {
  return {times(a.least, b.least), times(a.most, b.most)};
}
SizeRange operator+(SizeRange a, SizeRange b) {
  return {plus(a.least, b.least), plus(a.most, b.most)};
}
SizeRange operator*(SizeRange a, SizeRange b) {
  return {times(a.least, b.least), times(a.most, b.most)};
}
CostRange either(CostRange a, CostRange b) {
  return {std::min(a.least, b.least), std::max(a.most, b.most)};
}
SizeRange either(SizeRange a, SizeRange b) {
  return {std::min(a.least, b.least), std::max(a.most, b.most)};
}
constexpr CostRange exactly(std::uint64_t cost) { return {cost, cost}; }

template <std::size_t N>
bool among(std::string_view name, const std::array<std::string_view, N>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// The findings about one expression.
struct Found {
  CostRange cost;
  std::optional<SizeRange> size;  // if the expression itself determines it
  std::vector<std::string> path;  // from a variable; empty if it is not one
};

class Estimator {
 public:
  explicit Estimator(const Sizes& sizes) : sizes_(sizes) {}

  Found look(const Expr& expr);

 private:
  struct Call {
    const Expr& expr;
    std::vector<const Expr*> nodes;  // receiver first
    std::vector<Found> args;
    CostRange sum = {0, 0};
  };

  Found literal(const Expr& expr);
  Found ident(const Expr& expr);
  Found select(const Expr& expr);
  Found list(const Expr& expr);
  Found map(const Expr& expr);
  Found call(const Expr& expr);
  Found fold(const Expr& expr);
  Found operation(const Call& call);
  std::optional<Found> text_function(const Call& call);
  std::optional<Found> library_function(const Call& call);
  Found replaced(const Call& call);
  Found joined(const Call& call);

  SizeRange size_of(const Expr& expr, const Found& found) const;
  SizeRange arg_size(const Call& call, std::size_t index) const {
    return size_of(*call.nodes[index], call.args[index]);
  }
  /// The size of the elements of a list at a path.
  std::optional<SizeRange> element_size(const Found& list) const {
    if (list.path.empty()) return std::nullopt;
    std::vector<std::string> path = list.path;
    path.emplace_back("@items");
    return sizes_.of(path);
  }

  const Sizes& sizes_;
  std::map<std::string, std::vector<std::vector<std::string>>> loops_;  // paths of loop variables
};

SizeRange Estimator::size_of(const Expr& expr, const Found& found) const {
  if (found.size) return *found.size;
  if (!found.path.empty())
    if (const auto known = sizes_.of(found.path)) return *known;
  switch (expr.type.kind()) {
    case TypeKind::kBool:
    case TypeKind::kInt:
    case TypeKind::kUint:
    case TypeKind::kDouble:
    case TypeKind::kNull:
    case TypeKind::kTimestamp:
    case TypeKind::kDuration:
      return {1, 1};
    default:
      return {};
  }
}

Found Estimator::literal(const Expr& expr) {
  Found out{.cost = exactly(0), .size = std::nullopt, .path = {}};
  if (expr.value.is(cel::Kind::kString) || expr.value.is(cel::Kind::kBytes)) {
    const std::uint64_t size = expr.value.text().size();
    out.size = SizeRange{size, size};
  }
  return out;
}

Found Estimator::ident(const Expr& expr) {
  Found out{.cost = exactly(1), .size = std::nullopt, .path = {expr.name}};
  const auto loop = loops_.find(expr.name);
  if (loop != loops_.end() && !loop->second.empty()) out.path = loop->second.back();
  return out;
}

Found Estimator::select(const Expr& expr) {
  Found out = look(*expr.target);
  out.cost = out.cost + exactly(1);
  out.size.reset();
  if (expr.test) {
    out.path.clear();
  } else if (!out.path.empty()) {
    out.path.push_back(expr.name);
  }
  return out;
}

Found Estimator::list(const Expr& expr) {
  const std::uint64_t size = expr.args.size();
  Found out{.cost = exactly(kNewList), .size = SizeRange{size, size}, .path = {}};
  for (const Expr* arg : expr.args) out.cost = out.cost + look(*arg).cost;
  return out;
}

Found Estimator::map(const Expr& expr) {
  const bool message = expr.kind == ExprKind::kMessage;
  const std::uint64_t size = expr.args.size() / (message ? 1 : 2);
  Found out{
      .cost = exactly(message ? kNewMessage : kNewMap), .size = SizeRange{size, size}, .path = {}};
  for (const Expr* arg : expr.args) out.cost = out.cost + look(*arg).cost;
  return out;
}

Found Estimator::call(const Expr& expr) {
  Call call{.expr = expr, .nodes = {}, .args = {}};
  if (expr.target != nullptr) call.nodes.push_back(expr.target);
  call.nodes.insert(call.nodes.end(), expr.args.begin(), expr.args.end());
  for (const Expr* node : call.nodes) {
    call.args.push_back(look(*node));
    call.sum = call.sum + call.args.back().cost;
  }
  if (auto found = library_function(call)) return *std::move(found);
  if (auto found = text_function(call)) return *std::move(found);
  return operation(call);
}

Found Estimator::operation(const Call& call) {
  const std::string_view name = call.expr.name;
  const std::size_t count = call.args.size();
  Found out{.cost = exactly(1) + call.sum, .size = std::nullopt, .path = {}};
  if ((name == "_&&_" || name == "_||_") && count > 0) {
    // The first operand is always evaluated.
    out.cost = {call.args[0].cost.least, call.sum.most};
  } else if (name == "_?_:_" && count == 3) {
    out.cost = call.args[0].cost + either(call.args[1].cost, call.args[2].cost);
    out.size = either(arg_size(call, 1), arg_size(call, 2));
  } else if (name == "_+_" && count == 2) {
    const TypeKind kind = call.expr.type.kind();
    if (kind == TypeKind::kString || kind == TypeKind::kBytes || kind == TypeKind::kList) {
      out.size = arg_size(call, 0) + arg_size(call, 1);
      if (kind != TypeKind::kList) out.cost = *out.size * kOfText + call.sum;
    }
  } else if (count == 2 && among<6>(name, {"_==_", "_!=_", "_<_", "_<=_", "_>_", "_>=_"})) {
    const TypeKind kind = call.nodes[0]->type.kind();
    const bool equality = name == "_==_" || name == "_!=_";
    if (equality || kind == TypeKind::kString || kind == TypeKind::kBytes) {
      const std::uint64_t most = std::min(arg_size(call, 0).most, arg_size(call, 1).most);
      out.cost = SizeRange{most > 0 ? 1u : 0u, most} * kOfText + call.sum;
    }
  } else if (name == "@in" && count == 2) {
    out.cost = arg_size(call, 1) * 1.0 + call.sum;
  } else if ((name == "_[_]" || name == "_[?_]") && !call.args[0].path.empty()) {
    out.path = call.args[0].path;
    out.path.emplace_back(call.nodes[0]->type.is(TypeKind::kMap) ? "@values" : "@items");
  }
  return out;
}

std::optional<Found> Estimator::text_function(const Call& call) {
  const std::string_view name = call.expr.name;
  const std::size_t count = call.args.size();
  Found out;
  if (count == 2 && (name == "startsWith" || name == "endsWith")) {
    out.cost = arg_size(call, 1) * kOfText + call.sum;
  } else if (count == 2 && name == "contains" && !call.nodes[0]->type.is(TypeKind::kOpaque)) {
    out.cost = (arg_size(call, 0) * kOfText) * (arg_size(call, 1) * kOfText) + call.sum;
  } else if (count == 2 && name == "matches") {
    out.cost =
        ((arg_size(call, 0) + SizeRange{1, 1}) * kOfText) * (arg_size(call, 1) * kOfPattern) +
        call.sum;
  } else if (count == 1 && (name == "bytes" || name == "string") &&
             (call.nodes[0]->type.is(TypeKind::kString) ||
              call.nodes[0]->type.is(TypeKind::kBytes))) {
    const SizeRange size = arg_size(call, 0);
    out.cost = size * kOfText + call.sum;
    const bool bytes = name == "bytes" && call.nodes[0]->type.is(TypeKind::kString);
    out.size = bytes ? SizeRange{size.least, times(size.most, std::uint64_t{4})} : size;
  } else {
    return std::nullopt;
  }
  return out;
}

Found Estimator::replaced(const Call& call) {
  const SizeRange text = arg_size(call, 0), from = arg_size(call, 1), to = arg_size(call, 2);
  SizeRange count{0, 0}, kept{0, 0};
  if (from.least == 0) {
    count.most = plus(text.most, 1);
    kept.most = text.most;
  } else if (to.most <= from.least) {
    kept.most = text.most;
  } else {
    count.most = times(text.most, 1.0 / static_cast<double>(from.least));
  }
  if (from.most == 0) {
    count.least = plus(text.least, 1);
    kept.least = text.least;
  } else if (from.most <= to.least) {
    kept.least = text.least;
  } else {
    count.least = times(text.least, 1.0 / static_cast<double>(from.most));
  }
  return {.cost = text * (2 * kOfText) + call.sum, .size = count * to + kept, .path = {}};
}

Found Estimator::joined(const Call& call) {
  const SizeRange list = arg_size(call, 0);
  SizeRange size{0, 0};
  if (const auto element = element_size(call.args[0])) size = list * *element;
  if (call.args[0].path.empty()) size = {};  // a new list: the size of its texts is unknown
  if (call.args.size() > 1) {
    const SizeRange gaps{list.least > 0 ? list.least - 1 : 0, list.most > 0 ? list.most - 1 : 0};
    size = size + arg_size(call, 1) * gaps;
  }
  return {.cost = size * kOfText + call.sum, .size = size, .path = {}};
}

std::optional<Found> Estimator::library_function(const Call& call) {
  const std::string_view name = call.expr.name;
  const bool member = call.expr.target != nullptr;
  const std::size_t count = call.args.size();
  if (count == 0) return std::nullopt;
  Found out;
  if (member && among<6>(name, {"isSorted", "sum", "max", "min", "indexOf", "lastIndexOf"})) {
    if (call.nodes[0]->type.is(TypeKind::kString)) {
      out.cost = arg_size(call, 0) * kOfText + call.sum;
    } else {
      CostRange each = exactly(1);
      const cel::Type& list = call.nodes[0]->type;
      const auto element = element_size(call.args[0]);
      if (element && list.is(TypeKind::kList) &&
          (list.param(0).is(TypeKind::kString) || list.param(0).is(TypeKind::kBytes)))
        each = each + *element * kOfText;
      out.cost = arg_size(call, 0) * each + call.sum;
    }
  } else if (member && among<4>(name, {"lowerAscii", "upperAscii", "substring", "trim"})) {
    out.size = arg_size(call, 0);
    out.cost = *out.size * kOfText + call.sum;
  } else if (member && name == "replace" && count >= 3) {
    out = replaced(call);
  } else if (member && name == "split") {
    const SizeRange text = arg_size(call, 0);
    out.cost = text * (2 * kOfText) + call.sum;
    out.size = SizeRange{0, text.most};
    if (count > 2 && call.nodes[2]->kind == ExprKind::kLiteral &&
        call.nodes[2]->value.is(cel::Kind::kInt) && call.nodes[2]->value.as_int() >= 0)
      out.size->most = static_cast<std::uint64_t>(call.nodes[2]->value.as_int());
  } else if (member && name == "join") {
    out = joined(call);
  } else if (member && (name == "find" || name == "findAll") && count >= 2) {
    const SizeRange text = arg_size(call, 0);
    out.cost = ((text + SizeRange{1, 1}) * kOfText) * (arg_size(call, 1) * kOfPattern) + call.sum;
    out.size = SizeRange{0, text.most};
  } else if (!member && among<8>(name, {"url", "isURL", "quantity", "isQuantity", "ip", "cidr",
                                        "isIP", "isCIDR"})) {
    out.cost = arg_size(call, 0) * kOfText + call.sum;
  } else if (name == "ip.isCanonical") {
    out.cost = arg_size(call, count - 1) * (2 * kOfText) + call.sum;
  } else if (member && (name == "containsIP" || name == "containsCIDR") && count >= 2) {
    constexpr SizeRange kAddress{4, 16};
    out.cost = (kAddress + kAddress) * kOfText + call.sum;
    if (name == "containsCIDR") out.cost = out.cost + kAddress * kOfText + exactly(1);
    if (call.nodes[1]->type.is(TypeKind::kString))
      out.cost = out.cost + arg_size(call, 1) * kOfText;
  } else {
    return std::nullopt;
  }
  return out;
}

Found Estimator::fold(const Expr& expr) {
  const Found range = look(*expr.target);
  const bool optional = expr.fold == Fold::kOptMap || expr.fold == Fold::kOptFlatMap;
  const SizeRange turns = optional ? SizeRange{0, 1} : size_of(*expr.target, range);
  const bool is_map = expr.target->type.is(TypeKind::kMap);
  const auto enter = [&](const std::string& name, std::string_view part) {
    std::vector<std::string> path = range.path;
    if (!path.empty() && !part.empty()) path.emplace_back(part);
    loops_[name].push_back(std::move(path));
  };
  const bool two = !expr.var2.empty();
  if (two) {
    if (is_map) {
      enter(expr.var1, "@keys");
    } else {
      loops_[expr.var1].emplace_back();
    }
    enter(expr.var2, is_map ? "@values" : "@items");
  } else {
    enter(expr.var1, optional ? "" : is_map ? "@keys" : "@items");
  }
  const CostRange body = look(*expr.args[1]).cost;
  const CostRange filter = expr.args[0] != nullptr ? look(*expr.args[0]).cost : exactly(0);
  loops_[expr.var1].pop_back();
  if (two) loops_[expr.var2].pop_back();

  // The condition and the step of each iteration, as in the macro's comprehension.
  CostRange before = exactly(0), turn = body, after = exactly(1);
  const CostRange appended = exactly(2 + kNewList);
  switch (expr.fold) {
    case Fold::kAll:
      turn = CostRange{1, plus(1, body.most)} + exactly(2);
      break;
    case Fold::kExists:
      turn = CostRange{1, plus(1, body.most)} + exactly(3);
      break;
    case Fold::kExistsOne:
      turn = body + CostRange{1, 2};
      after = exactly(2);
      break;
    case Fold::kFilter:
      before = exactly(kNewList);
      turn = body + either(appended + exactly(1), exactly(1));
      break;
    case Fold::kMap:
      before = exactly(kNewList);
      turn = body + appended;
      if (expr.args[0] != nullptr) turn = filter + either(turn, exactly(1));
      break;
    case Fold::kTransformMap:
    case Fold::kTransformMapEntry:
      before = exactly(kNewMap);
      turn = body + exactly(3);
      if (expr.args[0] != nullptr) turn = filter + either(turn, exactly(1));
      break;
    case Fold::kOptMap:
    case Fold::kOptFlatMap:
      turn = {0, body.most};
      break;
  }
  Found out{.cost = range.cost + before + turns * turn + after, .size = std::nullopt, .path = {}};
  if (expr.fold == Fold::kFilter || (expr.fold == Fold::kMap && expr.args[0] != nullptr))
    out.size = SizeRange{0, turns.most};
  if (expr.fold == Fold::kMap && expr.args[0] == nullptr) out.size = turns;
  return out;
}

Found Estimator::look(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::kLiteral:
      return literal(expr);
    case ExprKind::kIdent:
      return ident(expr);
    case ExprKind::kSelect:
      return select(expr);
    case ExprKind::kCall:
      return call(expr);
    case ExprKind::kList:
      return list(expr);
    case ExprKind::kMap:
    case ExprKind::kMessage:
      return map(expr);
    case ExprKind::kFold:
      return fold(expr);
    case ExprKind::kBind:
    case ExprKind::kBlock: {
      Found out = look(expr.kind == ExprKind::kBind ? *expr.args[0] : *expr.target);
      const std::vector<Expr*> bound =
          expr.kind == ExprKind::kBind ? std::vector<Expr*>{expr.target} : expr.args;
      for (const Expr* each : bound) out.cost = out.cost + look(*each).cost;
      out.path.clear();
      return out;
    }
  }
  return {};
}

}  // namespace

CostRange kubernetes_cost(const cel::Program& program, const Sizes& sizes) {
  return Estimator(sizes).look(program.root()).cost;
}

}  // namespace portico::cel_lib
