// Programs in data files that load modules: their output and failures.
#include "starlark_lib/modules.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <sstream>

#include "starlark/program.h"
#include "testing/cases.h"

namespace portico::starlark_lib {
namespace {

using testing::Case;

/// The output of each program. The case's `setup` is put before each one; programs are separated by
/// "---" lines.
class Modules : public ::testing::TestWithParam<Case> {};

std::string transcript(const std::string& source) {
  const auto program = starlark::Program::compile(source, "test.star", {}, {.sets = true});
  if (!program) return program.error().text() + "\n";
  starlark::Heap heap;
  std::string printed;
  starlark::Environment environment;
  environment.print = [&printed](std::string_view line) { printed += fmt::format("{}\n", line); };
  environment.load = [](starlark::Heap& h, std::string_view name) {
    return Result<starlark::Members>(find_module(h, name).value_or(starlark::Members{}));
  };
  const starlark::Outcome outcome = program->run(heap, environment);
  if (outcome.failure) printed += "! " + outcome.failure->message + "\n";
  return printed;
}

TEST_P(Modules, MatchesItsFile) {
  std::string shown;
  std::istringstream lines(GetParam()["programs"]);
  std::string program;
  const auto finish = [&] {
    if (!program.empty())
      shown += program + "=> " + transcript(GetParam()["setup"] + program) + "---\n";
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

INSTANTIATE_TEST_SUITE_P(Data, Modules,
                         ::testing::ValuesIn(testing::cases("starlark_lib/tests/data/programs")),
                         testing::case_name);

TEST(FindModule, KnowsNoOtherNames) {
  starlark::Heap heap;
  for (const char* name : {"", "json", "json.star", "encoding/json", "http.star", "../re.star"})
    EXPECT_FALSE(find_module(heap, name)) << name;
}

}  // namespace
}  // namespace portico::starlark_lib
