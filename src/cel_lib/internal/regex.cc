#include "cel_lib/internal/regex.h"

#include <fmt/format.h>
#include <re2/re2.h>

namespace portico::cel_lib::internal {
namespace {

RE2::Options quiet() {
  RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(1 << 20);
  return options;
}

// The words that users of CEL know: those of Go's regexp.
std::string_view reason(RE2::ErrorCode code) {
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
      return "expression is too large";
    default:
      return "internal error";
  }
}

}  // namespace

Regex::Regex(std::string_view pattern)
    : re_(std::make_unique<const RE2>(re2::StringPiece(pattern.data(), pattern.size()), quiet())),
      factor_(1 + pattern.size() / 4) {}

Regex::~Regex() = default;

bool Regex::ok() const { return re_->ok(); }

std::string Regex::error() const {
  return fmt::format("error parsing regexp: {}: `{}`", reason(re_->error_code()), re_->error_arg());
}

}  // namespace portico::cel_lib::internal
