// What a conformance suite gives back: one result for each case of its data folder.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace portico::conformance {

enum class Outcome {
  kPassed,
  kFailed,
  kSkipped,  // the case needs what Portico does not have, or the data says that it need not pass
};

struct CaseResult {
  std::string name;  // unique in its suite, stable: known/SUITE.txt names cases by it
  Outcome outcome = Outcome::kPassed;
  std::string detail;  // kFailed: the difference, lines; kSkipped: the reason, one line, countable
};

CaseResult passed(std::string name);
CaseResult failed(std::string name, std::string difference);
CaseResult skipped(std::string name, std::string reason);

/// A suite lives in tests/conformance/SUITE.cc ('_' for '-' in the name), which defines
///   std::vector<CaseResult> portico::conformance::run_SUITE(const std::filesystem::path& data)
/// and nothing else with a name of its own outside an anonymous namespace; main.cc's table lists
/// the files that are there. `data` is a folder laid out like ../shared/conformance/SUITE; the
/// README there is the specification. One result a case, failing ones included, in an order that
/// does not depend on the machine. An exception that leaves a suite ends it as a failure of the
/// whole run; guarded() in support.h turns one into a failed case.
using SuiteFunction = std::vector<CaseResult> (*)(const std::filesystem::path& data);

}  // namespace portico::conformance
