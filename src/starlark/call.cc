#include "starlark/call.h"

#include "base/spelling.h"
#include "starlark/internal/containers.h"
#include "starlark/internal/eval_error.h"
#include "starlark/internal/operators.h"
#include "starlark_syntax/quoting.h"

namespace portico::starlark {

Result<Done> Call::bind(std::initializer_list<std::string_view> parameters) {
  bool optional = false;
  std::size_t required = 0;
  parameters_.clear();
  for (std::string_view parameter : parameters) {
    optional = optional || parameter.ends_with('?');
    if (!optional) ++required;
    if (parameter.ends_with('?')) parameter.remove_suffix(1);
    parameters_.emplace_back(parameter);
  }
  bound_.assign(parameters_.size(), std::nullopt);
  if (args.size() > parameters_.size())
    return fail("got {} arguments, want at most {}", args.size(), parameters_.size());
  for (std::size_t i = 0; i < args.size(); ++i) bound_[i] = args[i];
  for (const auto& [key, value] : named) {
    std::size_t i = 0;
    while (i < parameters_.size() && parameters_[i] != key.text()) ++i;
    if (i == parameters_.size())
      return fail("unexpected keyword argument {}{}", key.repr(),
                  hint(key.text(), {parameters_.begin(), parameters_.end()}));
    if (bound_[i]) return fail("got multiple values for keyword argument {}", key.repr());
    bound_[i] = value;
  }
  for (std::size_t i = 0; i < required; ++i)
    if (!bound_[i]) return fail("missing argument for {}", parameters_[i]);
  return Done{};
}

Result<Done> Call::bind_positional(std::size_t least, std::size_t most) {
  if (!named.empty()) return fail("unexpected keyword arguments");
  if (args.size() < least)
    return fail("got {} arguments, want {}{}", args.size(), least < most ? "at least " : "", least);
  if (args.size() > most)
    return fail("got {} arguments, want {}{}", args.size(), least < most ? "at most " : "", most);
  parameters_.clear();
  bound_.assign(most, std::nullopt);
  for (std::size_t i = 0; i < most; ++i) {
    parameters_.push_back(std::to_string(i + 1));
    if (i < args.size()) bound_[i] = args[i];
  }
  return Done{};
}

Error Call::wrong_type(std::size_t parameter, std::string_view wanted) const {
  const std::string_view given = parameters_[parameter];
  return fail("for parameter {}: got {}, want {}",
              parameter < args.size() ? std::string(given) : quote(given),
              (*this)[parameter].type_name(), wanted);
}

Result<std::string_view> Call::text(std::size_t parameter, std::string_view otherwise) const {
  if (!has(parameter)) return otherwise;
  if (!(*this)[parameter].is(Type::kString)) return wrong_type(parameter, "string");
  return (*this)[parameter].text();
}

Result<std::int64_t> Call::integer(std::size_t parameter, std::int64_t otherwise) const {
  if (!has(parameter)) return otherwise;
  if (!(*this)[parameter].is(Type::kInt)) return wrong_type(parameter, "int");
  const auto value = (*this)[parameter].as_int();
  if (!value)
    return fail("for parameter {}: {} out of range", parameters_[parameter],
                (*this)[parameter].repr());
  return *value;
}

Result<bool> Call::boolean(std::size_t parameter, bool otherwise) const {
  if (!has(parameter)) return otherwise;
  if (!(*this)[parameter].is(Type::kBool)) return wrong_type(parameter, "bool");
  return (*this)[parameter].as_bool();
}

Result<std::vector<Value>> Call::elements(std::size_t parameter) const {
  try {
    return internal::elements(heap, (*this)[parameter]);
  } catch (const internal::EvalError& why) {
    if (why.kind == Failure::Kind::kLimit) return invalid("{}", why.message);
    return wrong_type(parameter, "iterable");
  }
}

}  // namespace portico::starlark
