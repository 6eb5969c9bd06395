// Evaluates the operators. Overflow, division by zero and wrong types give error values.
#pragma once

#include "cel/internal/node.h"
#include "cel/value.h"

namespace portico::cel::internal {

Value apply_operator(Operator op, const Value& left, const Value& right, Budget& budget);
Value negate(const Value& value);

}  // namespace portico::cel::internal
