#include <fmt/ranges.h>

#include <algorithm>

#include "cel/env.h"
#include "cel_lib/libraries.h"
#include "cel_lib/template_env.h"
#include "cli/commands.h"
#include "cli/context.h"
#include "json/text.h"

namespace portico::cli {
namespace {

// Integers become ints (uints if they are too large), other numbers doubles, objects maps.
cel::Value cel_of(const json::Value& value) {
  switch (value.type()) {
    case json::Value::Type::kNull:
      return {};
    case json::Value::Type::kBool:
      return cel::Value(value.as_bool());
    case json::Value::Type::kInt:
      return cel::Value(value.as_int());
    case json::Value::Type::kUint:
      return cel::Value(value.as_uint());
    case json::Value::Type::kDouble:
      return cel::Value(value.as_double());
    case json::Value::Type::kString:
      return cel::Value::string(value.as_string());
    case json::Value::Type::kArray: {
      std::vector<cel::Value> items;
      for (const json::Value& item : value.items()) items.push_back(cel_of(item));
      return cel::Value::list(std::move(items));
    }
    case json::Value::Type::kObject: {
      std::vector<std::pair<cel::Value, cel::Value>> entries;
      for (const json::Member& member : value.members())
        entries.emplace_back(cel::Value::string(member.name()), cel_of(member.value));
      return cel::Value::map(std::move(entries));
    }
  }
  return {};
}

// All libraries, with the given variables, of any type.
Result<cel::Env> everything(const std::vector<std::string>& names) {
  namespace lib = cel_lib;
  cel::EnvBuilder builder;
  cel::Options language;
  language.cross_type_comparisons = true;
  builder.options(std::move(language));
  builder.add(lib::standard()).add(lib::optionals()).add(lib::strings()).add(lib::math());
  builder.add(lib::lists()).add(lib::sets()).add(lib::encoders()).add(lib::bindings());
  builder.add(lib::regex()).add(lib::two_variable_comprehensions());
  builder.add(lib::kubernetes::urls()).add(lib::kubernetes::regex()).add(lib::kubernetes::lists());
  builder.add(lib::kubernetes::quantity()).add(lib::kubernetes::semver());
  builder.add(lib::kubernetes::ip()).add(lib::kubernetes::cidr()).add(lib::kubernetes::format());
  builder.add(lib::literal_checks());
  for (const std::string& name : names) builder.variable(name, cel::Type());
  return builder.build();
}

}  // namespace

Result<Exit> run_cel_eval(const CelEvalOptions& options, Context& context) {
  cel::Variables variables;
  std::vector<std::string> names;
  for (const std::string& given : options.variables) {
    const std::size_t equals = given.find('=');
    if (equals == std::string::npos || equals == 0)
      return invalid("--var {:?}: must be name=JSON", given);
    names.push_back(given.substr(0, equals));
    PORTICO_TRY(const json::Value value, json::parse(given.substr(equals + 1)), "--var " + given);
    variables.set(names.back(), cel_of(value));
  }
  const bool in_template = options.env == "pvs";
  for (const std::string& name : names)
    if (in_template &&
        std::ranges::find(cel_lib::kTemplateVariables, name) == cel_lib::kTemplateVariables.end())
      return invalid("--var {}: unknown variable; templates have {}; try --env all", name,
                     fmt::join(cel_lib::kTemplateVariables, ", "));
  PORTICO_TRY(const cel::Env env, in_template ? cel_lib::template_env() : everything(names));
  if (const auto issues = env.check(options.expression).issues; !issues.empty()) {
    context.terminal.error(cel::display(issues, options.expression));
    return 1;
  }
  PORTICO_TRY(const cel::Program program, env.compile(options.expression));
  PORTICO_TRY(const cel::Value result, program.evaluate(variables));
  context.terminal.print("{}\n", cel::show(result));
  return 0;
}

}  // namespace portico::cli
