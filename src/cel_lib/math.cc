// The math library.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "cel_lib/internal/declare.h"
#include "cel_lib/libraries.h"

namespace portico::cel_lib {
namespace {

// `sign` is 1 for greatest, -1 for least; of equal numbers the first is kept. Not defined for NaN.
Value pick(const Value& a, const Value& b, int sign, std::string_view name) {
  const auto order = a.is_number() && b.is_number() ? cel::compare(a, b) : std::nullopt;
  if (!order) {
    const Value both[] = {a, b};
    return cel::no_such_overload(name, both);
  }
  return *order * sign < 0 ? b : a;
}

Value pick_of(const Value& list, int sign, const std::string& name) {
  const cel::List& items = list.as_list();
  if (items.size() == 0) return Value::error(name + "(list) argument must not be empty");
  Value best = items.at(0);
  if (!best.is_number()) return cel::no_such_overload(name, Args(&best, 1));
  for (std::size_t i = 1; i < items.size() && !best.is_error(); ++i)
    best = pick(best, items.at(i), sign, name);
  return best;
}

void add_extreme(Declarations& to, const std::string& name, int sign) {
  const Type numbers[] = {kInt, kUint, kDouble};
  for (const Type& a : numbers) to.global(name, {a}, a, [](Args args, Budget&) { return args[0]; });
  for (const Type& a : numbers)
    for (const Type& b : numbers)
      to.global(name, {a, b}, a == b ? a : Type(),
                [sign, name](Args args, Budget&) { return pick(args[0], args[1], sign, name); });
  for (const Type& a : numbers)
    to.global(name, {Type::list(a)}, a,
              [sign, name](Args args, Budget&) { return pick_of(args[0], sign, name); });
}

// A literal that is not a number can never be valid.
bool may_be_number(const Expr& arg) {
  if (arg.kind == ExprKind::kLiteral) return arg.value.is_number();
  return arg.kind != ExprKind::kList && arg.kind != ExprKind::kMap &&
         arg.kind != ExprKind::kMessage;
}

bool may_be_numbers(const Expr& arg) {
  if (arg.kind != ExprKind::kList || arg.args.empty()) return false;
  for (const Expr* item : arg.args)
    if (!may_be_number(*item)) return false;
  return true;
}

Macro extreme_macro(const std::string& name, const std::string& function) {
  const std::string shown = "math." + name + "()";
  return {name, -1, true, [shown, function](MacroContext& context, const Expr& call) -> Expr* {
            if (!in_namespace(call, "math")) return nullptr;
            if (call.args.empty())
              return context.refuse(*call.target, shown + " requires at least one argument");
            if (call.args.size() == 1) {
              if (!may_be_number(*call.args[0]) && !may_be_numbers(*call.args[0]))
                return context.refuse(*call.args[0], shown + " invalid single argument value");
              return context.call(function, {call.args[0]});
            }
            for (const Expr* arg : call.args)
              if (!may_be_number(*arg))
                return context.refuse(*arg, shown + " simple literal arguments must be numeric");
            if (call.args.size() == 2) return context.call(function, call.args);
            return context.call(function, {context.list(call.args)});
          }};
}

using Real = double (*)(double);

void add_real(Declarations& to, const std::string& name, Real function) {
  to.global(name, {kDouble}, kDouble,
            [function](Args args, Budget&) { return Value(function(args[0].as_double())); });
}

void add_test(Declarations& to, const std::string& name, bool (*test)(double)) {
  to.global(name, {kDouble}, kBool,
            [test](Args args, Budget&) { return Value(test(args[0].as_double())); });
}

void add_signs(Declarations& to) {
  to.global("math.abs", {kInt}, kInt, [](Args args, Budget&) {
    const std::int64_t number = args[0].as_int();
    if (number == std::numeric_limits<std::int64_t>::min()) return Value::error("integer overflow");
    return Value(number < 0 ? -number : number);
  });
  to.global("math.abs", {kUint}, kUint, [](Args args, Budget&) { return args[0]; });
  add_real(to, "math.abs", [](double x) { return std::abs(x); });
  to.global("math.sign", {kInt}, kInt, [](Args args, Budget&) {
    return of_int(args[0].as_int() > 0 ? 1 : (args[0].as_int() < 0 ? -1 : 0));
  });
  to.global("math.sign", {kUint}, kUint, [](Args args, Budget&) {
    return Value(std::uint64_t{args[0].as_uint() > 0 ? 1u : 0u});
  });
  add_real(to, "math.sign", [](double x) {
    if (std::isnan(x)) return x;
    return x > 0 ? 1.0 : (x < 0 ? -1.0 : 0.0);
  });
  add_real(to, "math.sqrt", [](double x) { return std::sqrt(x); });
  to.global("math.sqrt", {kInt}, kDouble, [](Args args, Budget&) {
    return Value(std::sqrt(static_cast<double>(args[0].as_int())));
  });
  to.global("math.sqrt", {kUint}, kDouble, [](Args args, Budget&) {
    return Value(std::sqrt(static_cast<double>(args[0].as_uint())));
  });
}

using Bits = std::uint64_t (*)(std::uint64_t, std::uint64_t);

std::uint64_t bits_of(const Value& value) {
  return value.is(Kind::kInt) ? static_cast<std::uint64_t>(value.as_int()) : value.as_uint();
}

Value like(const Value& model, std::uint64_t bits) {
  return model.is(Kind::kInt) ? Value(static_cast<std::int64_t>(bits)) : Value(bits);
}

void add_bits(Declarations& to, const std::string& name, Bits function) {
  for (const Type& type : {kInt, kUint})
    to.global(name, {type, type}, type, [function](Args args, Budget&) {
      return like(args[0], function(bits_of(args[0]), bits_of(args[1])));
    });
}

// Bits shifted out are lost; a right shift of a negative number does not preserve the sign.
void add_shift(Declarations& to, const std::string& name, Bits function) {
  for (const Type& type : {kInt, kUint})
    to.global(name, {type, kInt}, type, [function, name](Args args, Budget&) {
      const std::int64_t by = args[1].as_int();
      if (by < 0) return Value::error(fmt::format("{}() negative offset: {}", name, by));
      if (by >= 64) return like(args[0], 0);
      return like(args[0], function(bits_of(args[0]), static_cast<std::uint64_t>(by)));
    });
}

}  // namespace

Library math() {
  Declarations to;
  add_extreme(to, "math.@min", -1);
  add_extreme(to, "math.@max", 1);
  add_real(to, "math.ceil", [](double x) { return std::ceil(x); });
  add_real(to, "math.floor", [](double x) { return std::floor(x); });
  add_real(to, "math.round", [](double x) { return std::round(x); });
  add_real(to, "math.trunc", [](double x) { return std::trunc(x); });
  add_test(to, "math.isNaN", [](double x) { return std::isnan(x); });
  add_test(to, "math.isInf", [](double x) { return std::isinf(x); });
  add_test(to, "math.isFinite", [](double x) { return std::isfinite(x); });
  add_signs(to);
  add_bits(to, "math.bitAnd", [](std::uint64_t a, std::uint64_t b) { return a & b; });
  add_bits(to, "math.bitOr", [](std::uint64_t a, std::uint64_t b) { return a | b; });
  add_bits(to, "math.bitXor", [](std::uint64_t a, std::uint64_t b) { return a ^ b; });
  for (const Type& type : {kInt, kUint})
    to.global("math.bitNot", {type}, type,
              [](Args args, Budget&) { return like(args[0], ~bits_of(args[0])); });
  add_shift(to, "math.bitShiftLeft", [](std::uint64_t a, std::uint64_t by) { return a << by; });
  add_shift(to, "math.bitShiftRight", [](std::uint64_t a, std::uint64_t by) { return a >> by; });
  Library out;
  out.name = "math";
  out.functions = to.take();
  out.macros = {extreme_macro("least", "math.@min"), extreme_macro("greatest", "math.@max")};
  return out;
}

}  // namespace portico::cel_lib
