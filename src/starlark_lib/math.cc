// math.star: functions on ints and floats.
#include <cmath>
#include <numbers>
#include <optional>

#include "starlark/call.h"
#include "starlark_lib/internal/libraries.h"

namespace portico::starlark_lib {

using starlark::Call;
using starlark::Heap;
using starlark::Type;
using starlark::Value;

namespace {

/// The positional arguments as floats; there must be `least` to `most`.
Result<std::vector<double>> numbers(const Call& call, std::size_t least, std::size_t most) {
  if (!call.named.empty()) return call.fail("unexpected keyword arguments");
  if (call.args.size() < least || call.args.size() > most)
    return call.fail("got {} arguments, want {}{}", call.args.size(),
                     least == most              ? ""
                     : call.args.size() < least ? "at least "
                                                : "at most ",
                     call.args.size() < least ? least : most);
  std::vector<double> result;
  for (std::size_t i = 0; i < call.args.size(); ++i) {
    const auto number = call.args[i].to_float();
    if (!number)
      return call.fail("for parameter {}: got {}, want float or int", i + 1,
                       call.args[i].type_name());
    result.push_back(*number);
  }
  return result;
}

template <double (*function)(double)>
Result<Value> unary(Call& call) {
  PORTICO_TRY(const auto x, numbers(call, 1, 1));
  return Value(function(x[0]));
}

template <double (*function)(double, double)>
Result<Value> binary(Call& call) {
  PORTICO_TRY(const auto x, numbers(call, 2, 2));
  return Value(function(x[0], x[1]));
}

/// Converts to an int; an int stays as it is.
template <double (*function)(double)>
Result<Value> to_int(Call& call) {
  PORTICO_TRY(const auto x, numbers(call, 1, 1));
  if (call.args[0].is(Type::kInt)) return call.args[0];
  const double whole = function(x[0]);
  if (!std::isfinite(whole))
    return call.fail("cannot convert float {} to integer", std::isnan(whole) ? "NaN" : "infinity");
  return call.heap.truncated(whole);
}

Result<Value> log(Call& call) {
  PORTICO_TRY(const auto x, numbers(call, 1, 2));
  if (x.size() == 1) return Value(std::log(x[0]));
  if (x[1] == 1) return call.fail("division by zero");
  return Value(std::log(x[0]) / std::log(x[1]));
}

double degrees(double x) { return 360 * x / (2 * std::numbers::pi); }
double radians(double x) { return 2 * std::numbers::pi * x / 360; }

}  // namespace

Value math_module(Heap& heap) {
  std::vector<std::pair<std::string, Value>> members;
  const auto add = [&](const char* name, starlark::Native function) {
    members.emplace_back(name, heap.builtin(name, function));
  };
  add("ceil", to_int<std::ceil>);
  add("floor", to_int<std::floor>);
  add("fabs", unary<std::fabs>);
  add("round", unary<std::round>);
  add("exp", unary<std::exp>);
  add("sqrt", unary<std::sqrt>);
  add("acos", unary<std::acos>);
  add("asin", unary<std::asin>);
  add("atan", unary<std::atan>);
  add("cos", unary<std::cos>);
  add("sin", unary<std::sin>);
  add("tan", unary<std::tan>);
  add("acosh", unary<std::acosh>);
  add("asinh", unary<std::asinh>);
  add("atanh", unary<std::atanh>);
  add("cosh", unary<std::cosh>);
  add("sinh", unary<std::sinh>);
  add("tanh", unary<std::tanh>);
  add("gamma", unary<std::tgamma>);
  add("degrees", unary<degrees>);
  add("radians", unary<radians>);
  add("copysign", binary<std::copysign>);
  add("mod", binary<std::fmod>);
  add("pow", binary<std::pow>);
  add("remainder", binary<std::remainder>);
  add("atan2", binary<std::atan2>);
  add("hypot", binary<std::hypot>);
  add("log", log);
  members.emplace_back("e", Value(std::numbers::e));
  members.emplace_back("pi", Value(std::numbers::pi));
  return heap.module("math", std::move(members));
}

}  // namespace portico::starlark_lib
