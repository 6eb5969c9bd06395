#include <fmt/format.h>
#include <gtest/gtest.h>

#include <sstream>
#include <thread>

#include "starlark/call.h"
#include "starlark/heap.h"
#include "starlark/program.h"
#include "testing/cases.h"

namespace portico::starlark {
namespace {

using testing::Case;

constexpr Dialect kAll{.sets = true, .recursion = true, .top_level = true};

Result<Value> make_struct(Call& call) {
  if (!call.args.empty()) return call.fail("unexpected positional arguments");
  std::vector<std::pair<std::string, Value>> fields;
  for (const auto& [name, value] : call.named) fields.emplace_back(name.text(), value);
  return call.heap.structure(std::move(fields));
}

Result<Value> freeze(Call& call) {
  PORTICO_DO(call.bind({"value"}));
  call.heap.freeze(call[0]);
  return call[0];
}

/// Exercises every kind of parameter that the host can request.
Result<Value> host(Call& call) {
  PORTICO_DO(call.bind({"text", "count?", "flag?", "items?"}));
  PORTICO_TRY(const auto text, call.text(0));
  PORTICO_TRY(const auto count, call.integer(1, 1));
  PORTICO_TRY(const auto flag, call.boolean(2));
  std::vector<Value> items;
  if (call.has(3)) {
    PORTICO_TRY(items, call.elements(3));
  }
  return call.heap.string(fmt::format("{} {} {} {}", text, count, flag, items.size()));
}

Environment environment(Heap& heap, std::string& printed) {
  Environment result;
  result.predeclared = {{"struct", heap.builtin("struct", make_struct)},
                        {"freeze", heap.builtin("freeze", freeze)},
                        {"host", heap.builtin("host", host)}};
  result.print = [&printed](std::string_view line) { printed += fmt::format("{}\n", line); };
  result.load = [](Heap& h, std::string_view module) -> Result<Members> {
    if (module != "shapes.star") return invalid("no such module");
    return Members{{"sides", h.dict()}, {"module", h.module("shapes", {{"pi", Value(3.5)}})}};
  };
  return result;
}

/// "sets recursion top_level"; all of them if the case does not specify a dialect.
Dialect dialect_of(const Case& one) {
  if (!one.has("dialect")) return kAll;
  Dialect dialect;
  std::istringstream words(one["dialect"]);
  for (std::string word; words >> word;) {
    if (word == "sets") dialect.sets = true;
    if (word == "recursion") dialect.recursion = true;
    if (word == "top_level") dialect.top_level = true;
  }
  return dialect;
}

/// "steps 1000", "memory 65536", "depth 10", one per line.
Limits limits_of(const Case& one) {
  Limits limits;
  std::istringstream words(one["limits"]);
  std::string name;
  for (std::uint64_t value = 0; words >> name >> value;) {
    if (name == "steps") limits.steps = value;
    if (name == "memory") limits.memory = value;
    if (name == "depth") limits.depth = static_cast<int>(value);
  }
  return limits;
}

/// The program's output and failure.
std::string transcript(std::string_view source, Dialect dialect, const Limits& limits) {
  const auto program = Program::compile(source, "test.star", {"struct", "freeze", "host"}, dialect);
  if (!program) return program.error().text() + "\n";
  Heap heap(limits);
  std::string printed;
  const Outcome outcome = program->run(heap, environment(heap, printed));
  if (outcome.failure) printed += outcome.failure->traceback() + "\n";
  return printed;
}

class Programs : public ::testing::TestWithParam<Case> {};

TEST_P(Programs, MatchesItsFile) {
  GetParam().expect(
      "want", transcript(GetParam()["program"], dialect_of(GetParam()), limits_of(GetParam())));
}

INSTANTIATE_TEST_SUITE_P(Data, Programs,
                         ::testing::ValuesIn(testing::cases("starlark/tests/data/programs")),
                         testing::case_name);

/// Every block of lines of `program` is a separate program, since each contains an error.
class Mistakes : public ::testing::TestWithParam<Case> {};

TEST_P(Mistakes, MatchesItsFile) {
  std::string shown;
  std::istringstream lines(GetParam()["programs"]);
  std::string program;
  const auto finish = [&] {
    if (!program.empty()) {
      const std::string said = transcript(program, dialect_of(GetParam()), {});
      shown += program + "=> " + (said.empty() ? "nothing\n" : said) + "---\n";
    }
    program.clear();
  };
  for (std::string line; std::getline(lines, line);) {
    if (line == "---")
      finish();
    else
      program += line + "\n";
  }
  finish();
  GetParam().expect("want", shown);
}

INSTANTIATE_TEST_SUITE_P(Data, Mistakes,
                         ::testing::ValuesIn(testing::cases("starlark/tests/data/mistakes")),
                         testing::case_name);

Program compiled(std::string_view source, const std::vector<std::string>& predeclared = {}) {
  auto program = Program::compile(source, "test.star", predeclared, kAll);
  EXPECT_TRUE(program) << program.error().text();
  return *program;
}

TEST(Api, GlobalsAreFrozenAndReadable) {
  Heap heap;
  const Outcome outcome =
      compiled("a = [1, 'x', None, 2.5, True]\nb = {'k': (1,)}\nn = 1 << 70").run(heap, {});
  ASSERT_FALSE(outcome.failure);
  ASSERT_EQ(outcome.globals.size(), 3U);
  const Value a = outcome.globals.at("a");
  ASSERT_EQ(a.items().size(), 5U);
  EXPECT_EQ(a.items()[0].as_int(), 1);
  EXPECT_EQ(a.items()[1].text(), "x");
  EXPECT_TRUE(a.items()[2].is_none());
  EXPECT_EQ(a.items()[3].as_float(), 2.5);
  EXPECT_TRUE(a.items()[4].as_bool());
  EXPECT_EQ(heap.append(a, Value()).error().what, "cannot append to frozen list");
  const Value b = outcome.globals.at("b");
  EXPECT_EQ(b.find("k")->items()[0].as_int(), 1);
  EXPECT_FALSE(b.find("other"));
  EXPECT_EQ(b.entries().size(), 1U);
  EXPECT_EQ(heap.set(b, Value(), Value()).error().what, "cannot insert into frozen hash table");
  EXPECT_EQ(outcome.globals.at("n").as_int(), std::nullopt);
  EXPECT_EQ(outcome.globals.at("n").repr(), "1180591620717411303424");
}

TEST(Api, HostValuesGoInAndOut) {
  Heap heap;
  const Value dict = heap.dict();
  ASSERT_TRUE(heap.set(dict, heap.string("big"), heap.integer(UINT64_MAX)));
  ASSERT_TRUE(heap.set(dict, heap.string("list"), heap.list({Value(true)})));
  EXPECT_EQ(heap.set(dict, heap.list(), Value()).error().what, "unhashable type: list");
  EXPECT_EQ(heap.set(heap.list(), Value(), Value()).error().what, "got list, want dict");
  EXPECT_EQ(heap.append(dict, Value()).error().what, "got dict, want list");
  Environment env;
  env.predeclared["d"] = dict;
  const Outcome outcome =
      compiled("d['big'] += 1\nd['list'].append(d)\nx = d['big'] == 1 << 64", {"d"}).run(heap, env);
  ASSERT_FALSE(outcome.failure) << outcome.failure->traceback();
  EXPECT_TRUE(outcome.globals.at("x").as_bool());
  EXPECT_EQ(dict.repr(), R"({"big": 18446744073709551616, "list": [True, {...}]})");
  EXPECT_EQ(heap.integer("-12345678901234567890")->repr(), "-12345678901234567890");
  EXPECT_EQ(heap.integer(UINT64_MAX).as_uint(), UINT64_MAX);
  for (const char* no : {"", "-", "1x", "0x1", " 1", "1.0"}) EXPECT_FALSE(heap.integer(no)) << no;
}

TEST(Api, APredeclaredNameNeedsItsValue) {
  Heap heap;
  const Outcome outcome = compiled("x = 1", {"missing"}).run(heap, {});
  ASSERT_TRUE(outcome.failure);
  EXPECT_EQ(outcome.failure->message, "no value for predeclared name missing");
}

TEST(Api, TheHostStopsARun) {
  int asked = 0;
  Limits limits;
  limits.keep_going = [&asked] { return ++asked < 3; };
  Heap heap(limits);
  const Outcome outcome = compiled("while True: pass").run(heap, {});
  ASSERT_TRUE(outcome.failure);
  EXPECT_EQ(outcome.failure->kind, Failure::Kind::kLimit);
  EXPECT_EQ(outcome.failure->message, "stopped from outside");
  EXPECT_EQ(asked, 3);
}

TEST(Api, AFailureSaysWhatItIs) {
  const auto kind_of = [](std::string_view source) {
    Heap heap(Limits{.steps = 1000});
    return compiled(source).run(heap, {}).failure->kind;
  };
  EXPECT_EQ(kind_of("1 // 0"), Failure::Kind::kError);
  EXPECT_EQ(kind_of("fail('x')"), Failure::Kind::kFail);
  EXPECT_EQ(kind_of("while True: pass"), Failure::Kind::kLimit);
}

TEST(Api, OneProgramRunsOnManyThreads) {
  const Program program = compiled(
      "names = {}\nfor i in range(200):\n  names['key%d' % i] = ['literal', i, 1 << 80]\n"
      "text = str(names)");
  std::vector<std::string> texts(4);
  {
    std::vector<std::jthread> threads;
    for (std::string& text : texts)
      threads.emplace_back([&program, &text] {
        Heap heap;
        text = program.run(heap, {}).globals.at("text").str();
      });
  }
  EXPECT_FALSE(texts[0].empty());
  for (const std::string& text : texts) EXPECT_EQ(text, texts[0]);
}

TEST(Api, DeepExpressionsEndAtALimit) {
  std::string sum = "x = 1";
  for (int i = 1; i < 900; ++i) sum += " + 1";
  Heap heap;
  const Outcome outcome = compiled(sum).run(heap, {});
  ASSERT_FALSE(outcome.failure);
  EXPECT_EQ(outcome.globals.at("x").as_int(), 900);

  for (int i = 0; i < 100'000; ++i) sum += " + 1";
  const auto deeper = Program::compile(sum, "test.star", {}, kAll);
  ASSERT_FALSE(deeper);
  EXPECT_EQ(deeper.error().what, "test.star:1:4003: expression deeper than 1000");
}

TEST(Api, DeepAndCircularValuesAreFreed) {
  Heap heap;
  const Outcome outcome = compiled(
                              "deep = []\nfor i in range(100000):\n  deep = [deep]\n"
                              "circle = []\ncircle.append(circle)\n"
                              "tuples = ()\nfor i in range(100000):\n  tuples = (tuples,)\n"
                              "inside = tuples in {}\n")
                              .run(heap, {});
  ASSERT_FALSE(outcome.failure) << outcome.failure->traceback();
  EXPECT_EQ(outcome.globals.at("circle").repr(), "[[...]]");
  EXPECT_LT(outcome.globals.at("deep").repr().size(), 1000U);
}

}  // namespace
}  // namespace portico::starlark
