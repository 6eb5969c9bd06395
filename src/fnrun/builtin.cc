#include "fnrun/builtin.h"

#include "functions/catalog.h"

namespace portico::fnrun {

namespace {

const functions::Entry* entry_of(const render::FunctionRef& function) {
  return function.exec.empty() ? functions::find(function.image, function.tag) : nullptr;
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
        "no runner for function \"{}\": it is not built in; configure its runner in a "
        "FunctionConfig, start with --function-runner or --containers, or remove it from the "
        "pipeline",
        function.image.empty() ? function.exec : function.image);
  }
  functions::Outcome outcome = entry->run(std::move(input));
  if (entry->sorts && outcome.exit_code == 0) functions::sort_items(outcome.list.items);
  render::FunctionOutcome result{std::move(outcome.list), std::move(outcome.stderr_text),
                                 outcome.exit_code};
  result.image = functions::chosen_image(*entry, function.image, function.tag);
  return result;
}

}  // namespace portico::fnrun
