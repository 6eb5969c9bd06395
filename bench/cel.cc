// The cost of a template expression: parsing, checking, compiling and evaluating, in nanoseconds
// and allocations. The expressions and their variables are in bench/data/cel.json. Prints a table,
// or JSON with --json.
#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <new>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "cel/activation.h"
#include "cel/env.h"
#include "cel_lib/template_env.h"
#include "json/text.h"
#include "json/value.h"
#include "variants/expression.h"

namespace {
std::size_t allocations = 0;  // NOLINT: operator new has no other place to count
}

// NOLINTBEGIN(misc-new-delete-overloads): the forms that are missing call these.
void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
// NOLINTEND(misc-new-delete-overloads)

namespace {

using namespace portico;  // NOLINT: a program of its own
using json::Value;

constexpr int kRounds = 15;           // the median is reported
constexpr double kRound = 2'000'000;  // minimum nanoseconds

// CPU time of this thread only: less affected by other load on the machine.
double processor_nanoseconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

[[noreturn]] void die(const std::string& text) {
  std::fprintf(stderr, "cel: %s\n", text.c_str());
  std::exit(1);
}

struct Cost {
  double nanoseconds = 0;
  double allocations = 0;
};

template <class F>
Cost cost_of(const F& operation) {
  const std::size_t before = allocations;
  operation();
  const auto allocated = static_cast<double>(allocations - before);

  std::size_t repeat = 1;
  std::vector<double> rounds;
  while (rounds.size() < kRounds) {
    const double from = processor_nanoseconds();
    for (std::size_t i = 0; i < repeat; ++i) operation();
    const double took = processor_nanoseconds() - from;
    if (took < kRound)
      repeat *= 2;
    else
      rounds.push_back(took / static_cast<double>(repeat));
  }
  std::nth_element(rounds.begin(), rounds.begin() + kRounds / 2, rounds.end());
  return {rounds[kRounds / 2], allocated};
}

// Keeps the compiler from optimizing away the computation of `value`.
template <class T>
void used(const T& value) {
  asm volatile("" : : "g"(&value) : "memory");
}

struct Row {
  std::string group, expression, result;
  Cost parse, check, compile, evaluate;
};

Row measure(const cel::Env& env, const cel::Variables& variables, std::string group,
            std::string expression) {
  const auto program = env.compile(expression);
  if (!program) die(expression + ": " + program.error().text());
  const auto once = program->evaluate(variables);
  if (!once) die(expression + ": " + once.error().text());

  Row row{std::move(group), std::move(expression), cel::show(*once), {}, {}, {}, {}};
  row.parse = cost_of([&] { used(env.parse(row.expression)); });
  row.check = cost_of([&] { used(env.check(row.expression)); });
  row.compile = cost_of([&] { used(env.compile(row.expression)); });
  row.evaluate = cost_of([&] { used(program->evaluate(variables)); });
  return row;
}

cel::Variables variables_of(const Value& given) {
  cel::Variables variables;
  for (const json::Member& member : given.members()) {
    const Value& value = member.value;
    variables.set(std::string(member.name()),
                  value.is_object() ? variants::visible(Value::object({{"metadata", value}}))
                                    : cel::Value::string(value.as_string()));
  }
  return variables;
}

Value as_json(const Row& row) {
  const auto cost = [](const Cost& of) {
    return Value::object({{"ns", Value(of.nanoseconds)}, {"allocations", Value(of.allocations)}});
  };
  return Value::object({{"group", Value(row.group)},
                        {"expression", Value(row.expression)},
                        {"result", Value(row.result)},
                        {"parse", cost(row.parse)},
                        {"check", cost(row.check)},
                        {"compile", cost(row.compile)},
                        {"evaluate", cost(row.evaluate)}});
}

void print_table(const std::vector<Row>& rows) {
  fmt::print("{:>16}{:>18}{:>18}{:>18}   ns and allocations; check holds parse, compile both\n",
             "parse", "check", "compile", "evaluate");
  std::string group;
  for (const Row& row : rows) {
    if (row.group != group) fmt::print("{}\n", group = row.group);
    for (const Cost* cost : {&row.parse, &row.check, &row.compile, &row.evaluate})
      fmt::print("{:>10.0f} {:>5.0f}  ", cost->nanoseconds, cost->allocations);
    fmt::print(" {}\n", row.expression);
  }
}

}  // namespace

int main(int argc, char** argv) {
  bool as_text = true;
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) != "--json")
      die(fmt::format("unknown argument \"{}\"; there is --json", argv[i]));
    as_text = false;
  }
  std::ifstream file(PORTICO_SOURCE_DIR "/bench/data/cel.json");
  std::stringstream text;
  text << file.rdbuf();
  const auto data = json::parse(text.str());
  if (!data) die("bench/data/cel.json: " + data.error().text());

  const auto env = cel_lib::template_env();
  if (!env) die(env.error().text());
  const cel::Variables variables = variables_of((*data)["variables"]);
  std::vector<Row> rows;
  for (const Value& each : (*data)["expressions"].items())
    rows.push_back(measure(*env, variables, std::string(each["group"].as_string()),
                           std::string(each["expr"].as_string())));
  if (as_text) {
    print_table(rows);
    return 0;
  }
  std::vector<Value> list;
  for (const Row& row : rows) list.push_back(as_json(row));
  fmt::print("{}\n", json::print(Value::array(std::move(list))));
  return 0;
}
