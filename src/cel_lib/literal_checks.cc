// Finds literals that a function can never accept, at check time.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "cel_lib/internal/declare.h"
#include "cel_lib/internal/regex.h"
#include "cel_lib/libraries.h"

namespace portico::cel_lib {
namespace {

using internal::Regex;

const Value* literal_text(const Expr& expr) {
  return expr.kind == ExprKind::kLiteral && expr.value.is(Kind::kString) ? &expr.value : nullptr;
}

// Calls the function with its single literal argument.
cel::Validator made_of_text(const std::string& name, const Implementation& make) {
  return [name, make](const Expr& call, cel::Report& report) {
    if (call.target != nullptr || call.args.size() != 1) return;
    const Value* text = literal_text(*call.args[0]);
    if (text == nullptr) return;
    Budget budget(std::numeric_limits<std::uint64_t>::max());
    const Value made = make(Args(text, 1), budget);
    if (made.is_error())
      report.error(*call.args[0],
                   fmt::format("invalid {} argument: {}", name, made.error_message()));
  };
}

// x.matches(pattern) and matches(x, pattern).
cel::Validator takes_pattern(const std::string& name) {
  return [name](const Expr& call, cel::Report& report) {
    const std::size_t at = call.target == nullptr ? 1 : 0;
    if (call.args.size() <= at) return;
    const Value* text = literal_text(*call.args[at]);
    if (text == nullptr) return;
    const Regex regex(text->text());
    if (!regex.ok())
      report.error(*call.args[at], fmt::format("invalid {} argument: {}", name, regex.error()));
  };
}

}  // namespace

Library literal_checks() {
  Library out;
  out.name = "literal_checks";
  for (const Library& library : {standard(), kubernetes::urls(), kubernetes::quantity(),
                                 kubernetes::semver(), kubernetes::ip(), kubernetes::cidr()})
    for (const Function& function : library.functions) {
      static constexpr std::string_view kMade[] = {"timestamp", "duration", "url", "quantity",
                                                   "semver",    "ip",       "cidr"};
      if (std::find(std::begin(kMade), std::end(kMade), function.name) == std::end(kMade)) continue;
      for (const Overload& overload : function.overloads)
        if (!overload.member && overload.params == std::vector<Type>{kString})
          out.validators.emplace(function.name, made_of_text(function.name, overload.call));
    }
  for (const char* name : {"matches", "find", "findAll"})
    out.validators.emplace(name, takes_pattern(name));
  return out;
}

}  // namespace portico::cel_lib
