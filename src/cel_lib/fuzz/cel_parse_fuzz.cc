// The parser alone: arbitrary bytes give a tree or an issue.
#include <cstdint>
#include <string_view>

#include "cel/diagnostic.h"
#include "cel/env.h"
#include "cel_lib/libraries.h"

namespace portico::cel_lib {
namespace {

cel::Env make_env() {
  cel::Options options;
  options.check = false;
  cel::EnvBuilder builder;
  builder.options(options).add(standard()).add(optionals()).add(bindings()).add(block());
  builder.add(math()).add(lists()).add(two_variable_comprehensions());
  return *builder.build();
}

}  // namespace
}  // namespace portico::cel_lib

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const portico::cel::Env kEnv = portico::cel_lib::make_env();
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  portico::cel::display(kEnv.check(text).issues, text);
  return 0;
}
