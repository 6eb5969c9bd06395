#include "cel/regex.h"

#include <fmt/format.h>
#include <re2/re2.h>

namespace portico::cel {
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

std::string Regex::error() const {
  std::string_view what = re_->error();
  if (const std::size_t colon = what.find(": "); colon != std::string_view::npos)
    what = what.substr(0, colon);
  return fmt::format("error parsing regexp: {}: `{}`", what, re_->error_arg());
}

}  // namespace portico::cel
