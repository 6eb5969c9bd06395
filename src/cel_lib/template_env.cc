#include "cel_lib/template_env.h"

#include "cel_lib/libraries.h"

namespace portico::cel_lib {

Result<cel::Env> template_env(const cel::Limits& limits) {
  cel::Options options;
  options.homogeneous_literals = true;
  options.cross_type_comparisons = true;
  options.limits = limits;
  cel::EnvBuilder builder;
  builder.options(std::move(options));
  builder.add(standard());
  builder.add(optionals())
      .add(strings(2))
      .add(sets())
      .add(lists())
      .add(two_variable_comprehensions());
  builder.add(kubernetes::urls()).add(kubernetes::regex()).add(kubernetes::lists());
  builder.add(kubernetes::quantity()).add(kubernetes::semver()).add(kubernetes::ip());
  builder.add(kubernetes::cidr()).add(kubernetes::format());
  builder.add(literal_checks());
  for (const std::string_view name : kTemplateVariables)
    builder.variable(std::string(name),
                     name.ends_with("Default") ? cel::TypeKind::kString : cel::Type());
  return builder.build();
}

}  // namespace portico::cel_lib
