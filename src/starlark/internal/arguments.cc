#include "starlark/internal/arguments.h"

#include "starlark/internal/iterate.h"

namespace portico::starlark::internal {

Arguments::Arguments(const Call& call, std::size_t least, std::size_t most) : call_(call) {
  if (!call.named.empty()) fail(call, "unexpected keyword arguments");
  const std::size_t given = call.args.size();
  if (given < least)
    fail(call, "got {} arguments, want {}{}", given, least < most ? "at least " : "", least);
  if (given > most)
    fail(call, "got {} arguments, want {}{}", given, least < most ? "at most " : "", most);
}

void Arguments::wrong_type(std::size_t index, std::string_view wanted) const {
  fail(call_, "for parameter {}: got {}, want {}", index + 1, call_.args[index].type_name(),
       wanted);
}

std::string_view Arguments::text(std::size_t index, std::string_view otherwise) const {
  if (!has(index)) return otherwise;
  if (!call_.args[index].is(Type::kString)) wrong_type(index, "string");
  return call_.args[index].text();
}

std::int64_t Arguments::integer(std::size_t index, std::int64_t otherwise) const {
  if (!has(index)) return otherwise;
  if (!call_.args[index].is(Type::kInt)) wrong_type(index, "int");
  const auto value = call_.args[index].as_int();
  if (!value)
    fail(call_, "for parameter {}: {} out of range (want value in signed 64-bit range)", index + 1,
         call_.args[index].repr());
  return *value;
}

bool Arguments::boolean(std::size_t index, bool otherwise) const {
  if (!has(index)) return otherwise;
  if (!call_.args[index].is(Type::kBool)) wrong_type(index, "bool");
  return call_.args[index].as_bool();
}

Value Arguments::iterable(std::size_t index) const {
  if (!Iterator::over(call_.args[index])) wrong_type(index, "iterable");
  return call_.args[index];
}

void check_no_names(const Call& call) {
  if (!call.named.empty()) fault("{} does not accept keyword arguments", call.name);
}

}  // namespace portico::starlark::internal
