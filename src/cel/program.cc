#include "cel/program.h"

#include <fmt/format.h>

#include <array>
#include <vector>

#include "cel/diagnostic.h"
#include "cel/internal/planner.h"
#include "cel/utf8.h"

namespace portico::cel {
namespace {

Error as_error(const Value& value, std::string_view source) {
  const Span span = value.error_span();
  if (span.end == 0) return invalid("{}", printable(value.error_message()));
  const Position at = position_of(source, span.begin);
  return invalid("{}, at {}:{} in `{}`", printable(value.error_message()), at.line, at.column,
                 excerpt(source, span));
}

// Most expressions have no local variables, and few have many.
Value run(const internal::Code& code, const Activation& variables, Budget& budget) {
  constexpr std::size_t kFew = 4;
  if (code.slots == 0) {
    internal::Frame frame{variables, budget, nullptr};
    return code.root->eval(frame);
  }
  std::array<internal::Slot, kFew> few;
  std::vector<internal::Slot> many;
  if (code.slots > kFew) many.resize(code.slots);
  internal::Frame frame{variables, budget, code.slots > kFew ? many.data() : few.data()};
  return code.root->eval(frame);
}

}  // namespace

Result<Value> Program::evaluate(const Activation& variables) const {
  Budget budget(code_->language->options.limits.cost);
  return evaluate(variables, budget);
}

Result<Value> Program::evaluate(const Activation& variables, Budget& budget) const {
  Value value = run(*code_, variables, budget);
  // An evaluation that ran out of budget has no result, even if the error was absorbed.
  if (budget.over()) return as_error(budget.exhausted(), code_->source);
  if (value.is_error()) return as_error(value, code_->source);
  return value;
}

const Expr& Program::root() const { return *code_->ast.root; }

const Type& Program::type() const { return code_->ast.root->type; }

const std::string& Program::source() const { return code_->source; }

CostRange Program::estimate(std::uint64_t assumed_size) const {
  return internal::estimate_cost(*code_->ast.root, assumed_size);
}

}  // namespace portico::cel
