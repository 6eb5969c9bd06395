#include "schema/internal/go_regex.h"

#include <fmt/format.h>
#include <re2/re2.h>

namespace portico::schema::internal {
namespace {

/// Go's words; RE2's are of the same family and mostly a little shorter.
std::string_view words(RE2::ErrorCode code) {
  switch (code) {
    case RE2::ErrorBadEscape:
      return "invalid escape sequence";
    case RE2::ErrorBadCharClass:
      return "invalid character class";
    case RE2::ErrorBadCharRange:
      return "invalid character class range";
    case RE2::ErrorMissingBracket:
      return "missing closing ]";
    case RE2::ErrorMissingParen:
      return "missing closing )";
    case RE2::ErrorUnexpectedParen:
      return "unexpected )";
    case RE2::ErrorTrailingBackslash:
      return "trailing backslash at end of expression";
    case RE2::ErrorRepeatArgument:
      return "missing argument to repetition operator";
    case RE2::ErrorRepeatSize:
      return "invalid repeat count";
    case RE2::ErrorRepeatOp:
      return "invalid nested repetition operator";
    case RE2::ErrorBadPerlOp:
      return "invalid or unsupported Perl syntax";
    case RE2::ErrorBadUTF8:
      return "invalid UTF-8";
    case RE2::ErrorBadNamedCapture:
      return "invalid named capture";
    case RE2::ErrorPatternTooLarge:
      return "expression too large";
    default:
      return "regexp: internal error";
  }
}

}  // namespace

std::string go_regex_error(const std::string& pattern) {
  RE2::Options options;
  options.set_log_errors(false);
  const RE2 regex(pattern, options);
  // RE2 does not say which part lacks a parenthesis; Go shows the whole pattern then.
  const bool whole = regex.error_arg().empty() || regex.error_code() == RE2::ErrorMissingParen;
  return fmt::format("error parsing regexp: {}: `{}`", words(regex.error_code()),
                     whole ? pattern : regex.error_arg());
}

}  // namespace portico::schema::internal
