// Checker and compiler: an expression checks if and only if it compiles.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "cel/diagnostic.h"
#include "cel_lib/template_env.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const portico::cel::Env kEnv = *portico::cel_lib::template_env();
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const portico::cel::Checked checked = kEnv.check(text);
  portico::cel::display(checked.issues, text);
  const auto program = kEnv.compile(text);
  if (program.ok() != checked.issues.empty()) std::abort();
  if (program && program->estimate(100).least > program->estimate(100).most) std::abort();
  return 0;
}
