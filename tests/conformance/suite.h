// The interface of a conformance suite: one result for each case in its data folder.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace portico::conformance {

enum class Outcome {
  kPassed,
  kFailed,
  kSkipped,  // needs something that Portico lacks, or the data exempts the case
};

struct CaseResult {
  std::string name;  // unique in its suite, stable: known/SUITE.txt uses it
  Outcome outcome = Outcome::kPassed;
  std::string detail;  // kFailed: the difference, lines; kSkipped: the reason, one line, countable
};

CaseResult passed(std::string name);
CaseResult failed(std::string name, std::string difference);
CaseResult skipped(std::string name, std::string reason);

/// A suite is a file tests/conformance/SUITE.cc ('_' for '-' in the name), which defines
///   std::vector<CaseResult> portico::conformance::run_SUITE(const std::filesystem::path& data)
/// and no other name outside an anonymous namespace; main.cc's table lists the existing files.
/// `data` is a folder with the layout of ../shared/conformance/SUITE, whose README is the
/// specification. Returns one result per case, including failures, in an order that does not depend
/// on the machine. An exception that leaves a suite fails the whole run; guarded() in support.h
/// turns one into a failed case.
using SuiteFunction = std::vector<CaseResult> (*)(const std::filesystem::path& data);

}  // namespace portico::conformance
