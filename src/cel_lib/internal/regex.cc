#include "cel_lib/internal/regex.h"

#include <re2/re2.h>

#include "cel_lib/regex_error.h"

namespace portico::cel_lib::internal {
namespace {

RE2::Options quiet() {
  RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(1 << 20);
  return options;
}

}  // namespace

Regex::Regex(std::string_view pattern)
    : re_(std::make_unique<const RE2>(re2::StringPiece(pattern.data(), pattern.size()), quiet())),
      factor_(1 + pattern.size() / 4) {}

Regex::~Regex() = default;

bool Regex::ok() const { return re_->ok(); }

std::string Regex::error() const { return regex_error(*re_, re_->pattern()); }

}  // namespace portico::cel_lib::internal
