// From the results of a suite to what is printed and the exit status.
#pragma once

#include <iosfwd>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "conformance/suite.h"

namespace portico::conformance {

/// Differences that are on purpose or not solved yet: case name -> reason.
using Known = std::map<std::string, std::string>;

/// Reads lines `case-name  # reason`; blank lines and lines that begin with '#' are comments. A
/// line without a reason and a case listed twice are kInvalid.
Result<Known> parse_known(std::string_view text);

struct ReportOptions {
  bool quiet = false;  // no differences, only names
  /// A listed case that is no longer among the results is stale too. False for a folder of data
  /// other than the one that the list was made for.
  bool expect_all_known = true;
};

struct Report {
  std::size_t passed = 0;
  std::size_t failed = 0;  // known ones included
  std::size_t skipped = 0;
  std::size_t known = 0;  // failures that are listed
  std::size_t stale = 0;  // listed cases that did not fail

  /// True when nothing failed that is not listed, and nothing is listed that did not fail.
  bool good() const { return failed == known && stale == 0; }
};

/// Prints to `out`: each failing case ("known" and its reason for listed ones, "FAILED" and the
/// difference for the others), stale lines of the list, skipped cases counted by reason, and last
/// "SUITE: N passed, N failed, N skipped".
Report report(std::string_view suite, const std::vector<CaseResult>& results, const Known& known,
              const ReportOptions& options, std::ostream& out);

}  // namespace portico::conformance
