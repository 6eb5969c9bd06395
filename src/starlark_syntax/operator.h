// The operators of the language.
#pragma once

#include <cstdint>
#include <string_view>

namespace portico::starlark {

enum class BinaryOp : std::uint8_t {
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kFloorDivide,
  kModulo,
  kAnd,
  kOr,
  kXor,
  kShiftLeft,
  kShiftRight,
  kIn,
  kNotIn,
  kEqual,
  kNotEqual,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
};
std::string_view symbol(BinaryOp op);

enum class UnaryOp : std::uint8_t { kPlus, kMinus, kInvert };

}  // namespace portico::starlark
