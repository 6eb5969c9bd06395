#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "starlark/program.h"
#include "starlark_syntax/quoting.h"
#include "starlark_syntax/utf8.h"

namespace portico::starlark {
namespace {

/// Digits of an int of arbitrary size.
rc::Gen<std::string> any_int() {
  return rc::gen::exec([] {
    std::string digits = std::to_string(*rc::gen::inRange(1, 10));
    for (int left = *rc::gen::inRange(0, 40); left > 0; --left)
      digits += std::to_string(*rc::gen::inRange(0, 10));
    return (*rc::gen::arbitrary<bool>() ? "-" : "") + digits;
  });
}

/// A literal of nested values.
rc::Gen<std::string> any_literal(int depth) {
  return rc::gen::exec([depth]() -> std::string {
    switch (*rc::gen::inRange(0, depth == 0 ? 5 : 8)) {
      case 0:
        return *rc::gen::element<std::string>("None", "True", "False", "0.5", "1e+100", "-7");
      case 1:
        return *any_int();
      case 2:
        return quote(valid_utf8(*rc::gen::arbitrary<std::string>()));
      case 3:
        return quote(*rc::gen::arbitrary<std::string>(), true);
      case 4:
        return "()";
      default:
        break;
    }
    const bool list = *rc::gen::arbitrary<bool>();
    std::string text = list ? "[" : "(";
    const int count = *rc::gen::inRange(1, 4);
    for (int i = 0; i < count; ++i) text += (i == 0 ? "" : ", ") + *any_literal(depth - 1);
    return text + (list ? "]" : count == 1 ? ",)" : ")");
  });
}

RC_GTEST_PROP(Printing, IsTheInverseOfEvaluating, ()) {
  const std::string literal = *any_literal(3);
  const auto program = Program::compile("x = " + literal, "x");
  RC_ASSERT(program.ok());
  Heap heap;
  const Outcome outcome = program->run(heap, {});
  RC_ASSERT(!outcome.failure);
  RC_ASSERT(outcome.globals.at("x").repr() == literal);
}

}  // namespace
}  // namespace portico::starlark
