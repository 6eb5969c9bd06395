// Turns the results of a suite into a report and an exit status.
#pragma once

#include <iosfwd>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "conformance/suite.h"

namespace portico::conformance {

/// Known differences, intended or not yet resolved: case name -> reason.
using Known = std::map<std::string, std::string>;

/// Reads lines `case-name  # reason`; blank lines and lines that begin with '#' are comments.
/// Returns kInvalid for a line without a reason and for a case listed twice.
Result<Known> parse_known(std::string_view text);

struct ReportOptions {
  bool quiet = false;  // print only names, no differences
  /// Treat a listed case that is not among the results as stale, too. False for data other than the
  /// folder for which the list was made.
  bool expect_all_known = true;
};

struct Report {
  std::size_t passed = 0;
  std::size_t failed = 0;  // including known failures
  std::size_t skipped = 0;
  std::size_t known = 0;  // failures that are listed
  std::size_t stale = 0;  // listed cases that did not fail

  /// True if the failures are exactly the listed cases.
  bool good() const { return failed == known && stale == 0; }
};

/// Prints to `out`: each failing case ("known" and its reason if listed, otherwise "FAILED" and the
/// difference), stale entries of the list, skipped cases counted by reason, and finally "SUITE: N
/// passed, N failed, N skipped".
Report report(std::string_view suite, const std::vector<CaseResult>& results, const Known& known,
              const ReportOptions& options, std::ostream& out);

}  // namespace portico::conformance
