// A program with folded constants gives the same results as plain evaluation.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "cel/activation.h"
#include "cel/env.h"
#include "cel_lib/libraries.h"

namespace portico::cel_lib {
namespace {

using cel::Value;

cel::Env make_env(bool fold) {
  cel::Options options;
  options.check = false;  // so that type errors occur at run time too
  options.fold_constants = fold;
  cel::EnvBuilder builder;
  builder.options(options).add(standard()).add(strings()).add(lists()).add(math());
  builder.add(optionals()).add(bindings()).add(two_variable_comprehensions()).add(sets());
  auto env = builder.build();
  EXPECT_TRUE(env);
  return *std::move(env);
}

rc::Gen<std::string> leaf() {
  return rc::gen::element<std::string>(
      "0", "1", "-3", "9223372036854775807", "2u", "0.5", "1e300", "'a'", "'héé'", "''", "b'x'",
      "true", "false", "null", "x", "y", "z", "[]", "{}", "[1, 2, 3]", "{'a': 1, 'b': [2]}",
      "optional.none()", "duration('90s')", "timestamp(0)", "missing");
}

// Expressions that are sometimes valid and otherwise fail in many ways.
rc::Gen<std::string> expression(int depth) {
  if (depth == 0) return leaf();
  const auto join = [depth](const std::vector<std::string>& pieces) {
    return rc::gen::map(
        rc::gen::tuple(expression(depth - 1), expression(depth - 1), expression(depth - 1)),
        [pieces](const std::tuple<std::string, std::string, std::string>& parts) {
          const std::string* given[] = {&std::get<0>(parts), &std::get<1>(parts),
                                        &std::get<2>(parts)};
          std::string out = pieces[0];
          for (std::size_t i = 1; i < pieces.size(); ++i) out += *given[i - 1] + pieces[i];
          return out;
        });
  };
  return rc::gen::mapcat(rc::gen::inRange(0, 24), [=](int shape) -> rc::Gen<std::string> {
    switch (shape) {
      case 0:
        return join({"(", " + ", ")"});
      case 1:
        return join({"(", " - ", ")"});
      case 2:
        return join({"(", " * ", ")"});
      case 3:
        return join({"(", " / ", ")"});
      case 4:
        return join({"(", " == ", ")"});
      case 5:
        return join({"(", " < ", ")"});
      case 6:
        return join({"(", " && ", ")"});
      case 7:
        return join({"(", " || ", " || ", ")"});
      case 8:
        return join({"(", " ? ", " : ", ")"});
      case 9:
        return join({"[", ", ", ", ", "]"});
      case 10:
        return join({"{'k': ", ", 1: ", "}"});
      case 11:
        return join({"(", " in ", ")"});
      case 12:
        return join({"", "[", "]"});
      case 13:
        return join({"", "[?", "].orValue(", ")"});
      case 14:
        return join({"", ".map(e, [e, ", "])"});
      case 15:
        return join({"", ".exists(e, e == ", ")"});
      case 16:
        return join({"cel.bind(v, ", ", [v, v, ", "])"});
      case 17:
        return join({"size(", ")"});
      case 18:
        return join({"!", ""});
      case 19:
        return join({"optional.of(", ").or(", ")"});
      case 20:
        return join({"string(", ").replace('a', 'bb')"});
      case 21:
        return join({"", ".transformMap(k, v, [k, v, ", "])"});
      case 22:
        return join({"", ".a"});
      default:
        return leaf();
    }
  });
}

std::string outcome(const Result<Value>& result) {
  return result ? cel::show(*result) + " of " + std::string(result->type_name())
                : "error: " + result.error().what;
}

RC_GTEST_PROP(Folding, ChangesNothing, ()) {
  static const cel::Env kFolding = make_env(true);
  static const cel::Env kPlain = make_env(false);
  const std::string text = *expression(4);
  RC_TAG(text.size() / 40);
  const auto folding = kFolding.compile(text);
  const auto plain = kPlain.compile(text);
  RC_ASSERT(folding.ok() == plain.ok());
  if (!plain) return;
  const cel::Variables variables(
      {{"x", Value(std::int64_t{1})},
       {"y", Value::string("a")},
       {"z", Value::list({Value(std::int64_t{1}), Value::string("a")})}});
  RC_ASSERT(outcome(folding->evaluate(variables)) == outcome(plain->evaluate(variables)));
}

}  // namespace
}  // namespace portico::cel_lib
