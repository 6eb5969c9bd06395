// Expressions and their results, one per line, in data files; and tests that do not fit on a line.
#include <gtest/gtest.h>

#include <sstream>
#include <thread>

#include "cel/activation.h"
#include "cel/diagnostic.h"
#include "cel/env.h"
#include "cel_lib/libraries.h"
#include "cel_lib/template_env.h"
#include "testing/cases.h"

namespace portico::cel_lib {
namespace {

using cel::Value;
using testing::Case;
using testing::case_name;
using testing::cases;

using Entries = std::vector<std::pair<Value, Value>>;

cel::Variables variables() {
  const Value labels = Value::map(Entries{{Value::string("region"), Value::string("us-east1")},
                                          {Value::string("environment"), Value::string("prod")}});
  const Value object = Value::map(Entries{{Value::string("name"), Value::string("edge-17")},
                                          {Value::string("namespace"), Value::string("default")},
                                          {Value::string("labels"), labels},
                                          {Value::string("annotations"), Value::map(Entries{})}});
  return cel::Variables({{"repoDefault", Value::string("deployments")},
                         {"packageDefault", Value::string("web")},
                         {"repository", object},
                         {"target", object},
                         {"upstream", object},
                         {"n", Value(std::int64_t{7})},
                         {"s", Value::string("héllo")},
                         {"d", Value(2.5)}});
}

// "templates" is template_env(); any other name lists libraries, with dyn variables n, s and d.
Result<cel::Env> env_for(std::string_view libraries) {
  if (libraries == "templates") return template_env();
  cel::EnvBuilder builder;
  builder.add(standard());
  for (const char* name : {"n", "s", "d", "target"}) builder.variable(name, cel::Type());
  std::istringstream words{std::string(libraries)};
  for (std::string word; words >> word;) {
    auto library = find_library(word);
    if (!library) return not_found("no library \"{}\"", word);
    builder.add(std::move(*library));
  }
  return builder.build();
}

std::string trimmed(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}

std::string outcome(const cel::Env& env, const std::string& expression) {
  const auto program = env.compile(expression);
  if (!program) return "does not check: " + program.error().what;
  const auto value = program->evaluate(variables());
  if (!value) return "fails: " + value.error().what;
  return cel::show(*value) + " : " + program->type().text();
}

class Expressions : public ::testing::TestWithParam<Case> {};

TEST_P(Expressions, GiveWhatTheirFileSays) {
  const Case& file = GetParam();
  const auto env = env_for(trimmed(file["libraries"]));
  ASSERT_TRUE(env) << env.error().text();
  std::istringstream lines(file["expressions"]);
  std::string out;
  for (std::string line; std::getline(lines, line);) {
    const std::string expression = line.substr(0, line.find("  -->"));
    if (expression.empty()) continue;
    out += expression + "  --> " + outcome(*env, expression) + "\n";
  }
  file.expect("expressions", out);
}

INSTANTIATE_TEST_SUITE_P(Data, Expressions,
                         ::testing::ValuesIn(cases("cel_lib/tests/data/expressions")), case_name);

class Errors : public ::testing::TestWithParam<Case> {};

TEST_P(Errors, AreShownWithTheirPlace) {
  const std::string text = trimmed(GetParam()["expression"]);
  const auto env = template_env();
  ASSERT_TRUE(env);
  GetParam().expect("display", cel::display(env->check(text).issues, text));
}

INSTANTIATE_TEST_SUITE_P(Data, Errors, ::testing::ValuesIn(cases("cel_lib/tests/data/errors")),
                         case_name);

cel::Env limited(const cel::Limits& limits) {
  auto env = template_env(limits);
  EXPECT_TRUE(env);
  return *std::move(env);
}

TEST(Limits, OfTheTextAreErrors) {
  const cel::Env env = limited({});
  const std::string deep = std::string(100'000, '(') + "1";
  for (const std::string& text :
       {deep, std::string(90'000, '['), std::string(200'000, ' '), "1" + std::string(99'990, '!'),
        std::string(50'000, '-') + "1", "[" + std::string(99'000, '?')}) {
    const auto program = env.compile(text);
    if (!program) {
      EXPECT_EQ(program.error().code, Code::kInvalid);
    }
  }
  std::string chain = "1";
  for (int i = 0; i < 5'000; ++i) chain += "+1";
  const auto program = env.compile(chain);
  ASSERT_FALSE(program);
  EXPECT_NE(program.error().what.find("nested deeper than 250"), std::string::npos);
}

// Limits on value nesting and type size hold even for values built from other bound values.
TEST(Limits, HoldForWhatIsBuiltByNames) {
  auto env = cel::EnvBuilder().add(standard()).add(bindings()).add(lists()).build();
  ASSERT_TRUE(env);
  std::string nested = "v";
  std::string twins = "v";
  std::string maps = "[v]";
  for (int i = 0; i < 100; ++i) {
    nested =
        "cel.bind(v, " + std::string(100, '[') + "v" + std::string(100, ']') + ", " + nested + ")";
    twins = "cel.bind(v, {v: v}, " + twins + ")";
    maps += ".map(v, [[[[v]]]])";
  }
  for (const std::string& text : {"cel.bind(v, 1, " + nested + ")", "cel.bind(v, 1, " + twins + ")",
                                  "cel.bind(v, 1, " + maps + ")"})
    EXPECT_FALSE(env->compile(text)) << text;
  std::string few = "v";
  for (int i = 0; i < 30; ++i) few = "cel.bind(v, {v: v}, " + few + ")";
  const auto program = env->compile("cel.bind(v, 1, " + few + ")");
  ASSERT_FALSE(program);
  EXPECT_NE(program.error().what.find("type has more than 1000 parts"), std::string::npos);
}

TEST(Limits, LongConditionsAreNotDeep) {
  std::string text = "true";
  for (int i = 0; i < 5'000; ++i) text += " && target.name != 'x'";
  cel::Limits limits;
  limits.source_bytes = 1'000'000;
  const auto program = limited(limits).compile(text);
  ASSERT_TRUE(program) << program.error().text();
  EXPECT_TRUE(program->evaluate(variables()));
}

TEST(Limits, CostStopsAnEvaluation) {
  cel::Limits limits;
  limits.cost = 10'000;
  const cel::Env env = limited(limits);
  for (const char* text :
       {"lists.range(1000).map(x, lists.range(1000).map(y, x * y)).size() > 0",
        "lists.range(9000000000000).size() > 0",
        "lists.range(1000).all(x, lists.range(1000).exists(y, y < 0) || true)",
        "target.name.replace('', target.name.replace('', 'xxxxxxxxxxxxxxxxxxxx"
        "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
        "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'"
        ").replace('', target.name + '0123456789012345678901234567890123456789')"
        ").size() < 0"}) {
    const auto program = env.compile(text);
    ASSERT_TRUE(program) << program.error().text();
    const auto value = program->evaluate(variables());
    ASSERT_FALSE(value) << text;
    EXPECT_NE(value.error().what.find("cost limit exceeded"), std::string::npos);
  }
}

TEST(Limits, TheEstimateBoundsTheCost) {
  const cel::Env env = limited({});
  const auto fixed = env.compile("target.name + '-x'");
  ASSERT_TRUE(fixed);
  EXPECT_GE(fixed->estimate(100).most, fixed->estimate(100).least);
  EXPECT_GT(fixed->estimate(1'000).most, fixed->estimate(10).most);
  const auto nested = env.compile("target.a.map(x, target.b.map(y, target.c.map(z, z)))");
  ASSERT_TRUE(nested);
  EXPECT_GT(nested->estimate(1'000).most, 1'000'000'000u);
  EXPECT_LT(nested->estimate(1).most, 100u);
}

// A map that creates its members on demand and counts the requests.
class Lazy final : public cel::Map {
 public:
  explicit Lazy(std::vector<std::string>& asked) : asked_(asked) {}
  std::size_t size() const override { return 1'000'000; }
  std::optional<Value> find(const Value& key) const override {
    asked_.emplace_back(key.text());
    if (key.text() == "broken") return Value::error("cannot be read");
    return Value::string("value of " + std::string(key.text()));
  }
  std::vector<Value> keys() const override {
    ADD_FAILURE() << "nobody asked for all of them";
    return {};
  }

 private:
  std::vector<std::string>& asked_;
};

TEST(Activation, OnlyWhatIsNeededIsAskedFor) {
  std::vector<std::string> asked;
  cel::Variables given;
  given.set("target", Value::map(cel::Ref<const cel::Map>(cel::make_ref<Lazy>(asked))));
  const cel::Env env = limited({});
  const auto program = env.compile("target.region + '!'");
  ASSERT_TRUE(program);
  const auto value = program->evaluate(given);
  ASSERT_TRUE(value);
  EXPECT_EQ(value->text(), "value of region!");
  EXPECT_EQ(asked, std::vector<std::string>{"region"});
  const auto broken = env.compile("'x' + target.broken");
  ASSERT_TRUE(broken);
  const auto failed = broken->evaluate(given);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().what, "cannot be read, at 1:7 in `target.broken`");
}

TEST(Program, IsSharedByThreads) {
  const cel::Env env = limited({});
  const auto program =
      env.compile("lists.range(50).map(i, target.name + string(i)).filter(t, t.matches('7$'))");
  ASSERT_TRUE(program) << program.error().text();
  const cel::Variables given = variables();
  const std::string want = cel::show(*program->evaluate(given));
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int round = 0; round < 200; ++round)
        EXPECT_EQ(cel::show(*program->evaluate(given)), want);
    });
  for (std::thread& thread : threads) thread.join();
}

TEST(EnvBuilder, RefusesOverloadsThatCollide) {
  cel::EnvBuilder builder;
  cel::Overload first{"one", {cel::TypeKind::kInt}, cel::TypeKind::kInt, false, {}, {}};
  cel::Overload second = first;
  second.id = "two";
  builder.function("f", first).function("f", second);
  const auto env = builder.build();
  ASSERT_FALSE(env);
  EXPECT_EQ(env.error().what, "overload 'two' of function 'f' collides with 'one'");
}

}  // namespace
}  // namespace portico::cel_lib
