// portico_conformance SUITE: runs one suite of ../shared/conformance and reports.
#include <algorithm>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/report.h"
#include "conformance/suite.h"
#include "conformance/support.h"

namespace portico::conformance {

// CMake writes suites.inc: PORTICO_SUITE("pkg-update", run_pkg_update) for each suite file.
#define PORTICO_SUITE(name, function) \
  std::vector<CaseResult> function(const std::filesystem::path& data);
#include "suites.inc"
#undef PORTICO_SUITE

namespace {

namespace fs = std::filesystem;

struct Suite {
  const char* name;  // also the folder below ../shared/conformance, see data_of
  SuiteFunction run;
};

constexpr Suite kSuites[] = {
#define PORTICO_SUITE(name, function) {name, function},
#include "suites.inc"
#undef PORTICO_SUITE
    {nullptr, nullptr}};

struct Arguments {
  std::string suite;
  std::optional<fs::path> data;
  bool quiet = false;
};

constexpr const char* kUsage =
    "usage: portico_conformance SUITE [--data DIR] [--quiet]\n"
    "       portico_conformance --list\n"
    "Exit status: 0 nothing failed that known/SUITE.txt does not list, 1 something did (or the "
    "list\n"
    "is stale), 2 the suite could not be run.\n";

const Suite* find_suite(std::string_view name) {
  for (const Suite& suite : kSuites)
    if (suite.name != nullptr && name == suite.name) return &suite;
  return nullptr;
}

Result<Arguments> parse_arguments(const std::vector<std::string>& words) {
  Arguments arguments;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--quiet") {
      arguments.quiet = true;
    } else if (words[i] == "--data") {
      if (++i == words.size()) return invalid("--data needs a folder");
      arguments.data = words[i];
    } else if (words[i].starts_with("-") || !arguments.suite.empty()) {
      return invalid("unknown argument \"{}\"", words[i]);
    } else {
      arguments.suite = words[i];
    }
  }
  if (arguments.suite.empty()) return invalid("no suite named");
  return arguments;
}

Result<Known> read_known(std::string_view suite) {
  const fs::path file =
      fs::path(PORTICO_SOURCE_DIR) / "tests/conformance/known" / (std::string(suite) + ".txt");
  PORTICO_TRY(Known known, parse_known(read_file_or_empty(file)), file.string());
  return known;
}

/// The folder of a suite; part of a large suite, such as kube-api-access, is a subfolder of its
/// folder.
fs::path data_of(std::string name) {
  const fs::path all = fs::path(PORTICO_SOURCE_DIR).parent_path() / "shared/conformance";
  const std::size_t dash = name.rfind('-');
  if (!fs::is_directory(all / name) && dash != std::string::npos) name[dash] = '/';
  return all / name;
}

Result<bool> run(const Arguments& arguments) {
  const Suite* suite = find_suite(arguments.suite);
  if (suite == nullptr) return not_found("no suite \"{}\" (--list names them)", arguments.suite);
  const fs::path data = arguments.data.value_or(data_of(suite->name));
  if (!fs::is_directory(data)) return not_found("no data folder \"{}\"", data.string());
  PORTICO_TRY(const Known known, read_known(suite->name));
  const std::vector<CaseResult> results = suite->run(data);
  if (results.empty()) return not_found("no cases in \"{}\"", data.string());
  const ReportOptions options{.quiet = arguments.quiet, .expect_all_known = !arguments.data};
  return report(suite->name, results, known, options, std::cout).good();
}

int fail(const Error& error, std::string_view more) {
  std::cerr << "portico_conformance: " << error.text() << "\n" << more;
  return 2;
}

int main(const std::vector<std::string>& words) {
  if (words == std::vector<std::string>{"--list"}) {
    for (const Suite& suite : kSuites)
      if (suite.name != nullptr) std::cout << suite.name << "\n";
    return 0;
  }
  auto arguments = parse_arguments(words);
  if (!arguments) return fail(arguments.error(), kUsage);
  try {
    auto good = run(*arguments);
    if (!good) return fail(good.error(), "");
    return *good ? 0 : 1;
  } catch (const std::exception& thrown) {
    return fail(internal("exception: {}", thrown.what()), "");
  }
}

}  // namespace
}  // namespace portico::conformance

int main(int count, char** words) {
  // Results must not depend on the user's git or time zone.
  setenv("TZ", "UTC", 1);
  setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
  setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
  return portico::conformance::main(std::vector<std::string>(words + 1, words + count));
}
