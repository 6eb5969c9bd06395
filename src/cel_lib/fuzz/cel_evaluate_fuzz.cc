// The evaluator: no input crashes or hangs it, and folding constants changes no result.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "cel/activation.h"
#include "cel/env.h"
#include "cel_lib/libraries.h"

namespace portico::cel_lib {
namespace {

using cel::Value;

cel::Env make_env(bool fold) {
  cel::Options options;
  options.check = false;
  options.fold_constants = fold;
  options.limits.cost = 20'000;
  cel::EnvBuilder builder;
  builder.options(options).add(standard());
  for (const char* name : {"strings", "math", "lists", "sets", "encoders", "optionals", "regex",
                           "bindings", "comprehensions2", "block", "network", "k8s.lists",
                           "k8s.regex", "k8s.urls", "k8s.quantity", "k8s.semver", "k8s.format"})
    builder.add(*find_library(name));
  return *builder.build();
}

cel::Variables make_variables() {
  cel::Variables out;
  out.set("s", Value::string("h\u00e9llo, a string that is not held inline"));
  out.set("n", Value(std::int64_t{-7}));
  out.set("l", Value::list({Value(std::uint64_t{3}), Value(0.5), Value::bytes("\xff")}));
  std::vector<std::pair<Value, Value>> entries;
  entries.emplace_back(Value::string("a"), out.find("l").value_or(Value()));
  out.set("m", Value::map(std::move(entries)));
  return out;
}

}  // namespace
}  // namespace portico::cel_lib

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using portico::cel_lib::make_env;
  static const portico::cel::Env kFolding = make_env(true);
  static const portico::cel::Env kPlain = make_env(false);
  static const portico::cel::Variables kVariables = portico::cel_lib::make_variables();
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto folding = kFolding.compile(text);
  const auto plain = kPlain.compile(text);
  if (folding.ok() != plain.ok()) std::abort();
  if (!plain) return 0;
  const auto a = folding->evaluate(kVariables);
  const auto b = plain->evaluate(kVariables);
  // Folded constants cost nothing, so only plain evaluation may run out of budget.
  if (!b && b.error().what.find("cost limit") != std::string::npos) return 0;
  if (a.ok() != b.ok()) std::abort();
  if (a && portico::cel::show(*a) != portico::cel::show(*b)) std::abort();
  return 0;
}
