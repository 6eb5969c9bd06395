#include "cel_lib/regex_error.h"

#include <fmt/format.h>
#include <re2/re2.h>

namespace portico::cel_lib {

using re2::RE2;

namespace {

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
      return "regexp/syntax: internal error";
  }
}

}  // namespace

std::string regex_error(const RE2& regex, std::string_view pattern) {
  // RE2 does not report which part lacks a parenthesis; Go shows the whole pattern in that case.
  const bool whole = regex.error_arg().empty() || regex.error_code() == RE2::ErrorMissingParen;
  return fmt::format("error parsing regexp: {}: `{}`", words(regex.error_code()),
                     whole ? pattern : std::string_view(regex.error_arg()));
}

std::string regex_error(std::string_view pattern) {
  RE2::Options options;
  options.set_log_errors(false);
  return regex_error(RE2(re2::StringPiece(pattern.data(), pattern.size()), options), pattern);
}

}  // namespace portico::cel_lib
