// Arbitrary text as a program, in every dialect, within small limits.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "starlark/call.h"
#include "starlark/program.h"

namespace portico::starlark {
namespace {

Result<Value> host(Call& call) {
  PORTICO_DO(call.bind({"items", "text?", "count?"}));
  PORTICO_TRY(auto items, call.elements(0));
  PORTICO_TRY(const auto text, call.text(1, "default"));
  PORTICO_TRY(const auto count, call.integer(2));
  items.push_back(call.heap.string(text));
  items.push_back(Value(count));
  return call.heap.list(std::move(items));
}

void run(std::string_view source, Dialect dialect) {
  const auto program = Program::compile(source, "fuzz", {"data", "host"}, dialect);
  if (!program) {
    if (program.error().what.empty()) std::abort();
    return;
  }
  Heap heap({.steps = 20'000, .memory = 4 << 20, .depth = 200});
  const Value data = heap.dict();
  Environment environment;
  environment.predeclared = {{"data", data}, {"host", heap.builtin("host", host)}};
  environment.load = [](Heap& h, std::string_view) {
    return Result<Members>(Members{{"m", h.module("m", {{"x", Value(true)}})}});
  };
  const Outcome outcome = program->run(heap, environment);
  // The resulting values can be printed, and a failure has a message.
  for (const auto& [name, value] : outcome.globals)
    if (value.repr().empty()) std::abort();
  if (data.repr().empty()) std::abort();
  if (outcome.failure && (outcome.failure->message.empty() || outcome.failure->traceback().empty()))
    std::abort();
  if (heap.memory() > (std::size_t{64} << 20)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view source(reinterpret_cast<const char*>(data), size);
  run(source, {.sets = true, .recursion = true, .top_level = true});
  run(source, {});
  return 0;
}

}  // namespace portico::starlark
