#include "fnrun/builtin.h"

#include <fmt/ranges.h>

#include "functions/catalog.h"

namespace portico::fnrun {

namespace {

const functions::Entry* entry_of(const render::FunctionRef& function) {
  return function.exec.empty() ? functions::find(function.image, function.tag) : nullptr;
}

std::string built_in_names() {
  std::vector<std::string_view> names;
  for (const functions::Entry& entry : functions::catalog())
    if (names.empty() || names.back() != entry.name) names.push_back(entry.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

bool BuiltinRunner::has(const render::FunctionRef& function) {
  return entry_of(function) != nullptr;
}

Result<render::FunctionOutcome> BuiltinRunner::run(const render::FunctionRef& function,
                                                   krm::ResourceList input) const {
  const functions::Entry* entry = entry_of(function);
  if (entry == nullptr) {
    return invalid(
        "no runner for function \"{}\": use one of the built-in ones ({}), take it out of the "
        "pipeline, or render the package where {} can run and push the result",
        function.image.empty() ? function.exec : function.image, built_in_names(),
        function.image.empty() ? "programs" : "containers");
  }
  functions::Outcome outcome = entry->run(std::move(input));
  if (entry->sorts && outcome.exit_code == 0) functions::sort_items(outcome.list.items);
  return render::FunctionOutcome{std::move(outcome.list), std::move(outcome.stderr_text),
                                 outcome.exit_code};
}

}  // namespace portico::fnrun
