#include "cel/program.h"

#include <fmt/format.h>

#include <array>
#include <vector>

#include "cel/diagnostic.h"
#include "cel/internal/planner.h"

namespace portico::cel {
namespace {

Error as_error(const Value& value, std::string_view source) {
  const Span span = value.error_span();
  if (span.end == 0) return invalid("{}", value.error_message());
  const Position at = position_of(source, span.begin);
  return invalid("{}, at {}:{} in `{}`", value.error_message(), at.line, at.column,
                 excerpt(source, span));
}

}  // namespace

Result<Value> Program::evaluate(const Activation& variables) const {
  constexpr std::size_t kFew = 4;
  std::array<internal::Slot, kFew> few;
  std::vector<internal::Slot> many;
  if (code_->slots > kFew) many.resize(code_->slots);
  Budget budget(code_->language->options.limits.cost);
  internal::Frame frame{variables, budget, code_->slots > kFew ? many.data() : few.data()};
  Value value = code_->root->eval(frame);
  // Whatever absorbed it, an evaluation that ran out of budget has no result.
  if (budget.over()) return as_error(budget.exhausted(), code_->source);
  if (value.is_error()) return as_error(value, code_->source);
  return value;
}

const Type& Program::type() const { return code_->ast.root->type; }

const std::string& Program::source() const { return code_->source; }

CostRange Program::estimate(std::uint64_t assumed_size) const {
  return internal::estimate_cost(*code_->ast.root, assumed_size);
}

}  // namespace portico::cel
