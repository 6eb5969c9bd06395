// Arbitrary text for the modules' readers, and arbitrary patterns on arbitrary text; results are
// written and read back.
#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "starlark/program.h"
#include "starlark_lib/modules.h"

namespace portico::starlark_lib {
namespace {

// The first byte selects the program for the rest.
constexpr std::string_view kPrograms[] = {
    R"(
value = json.decode(text)
again = json.decode(json.encode(value))
if value != again: wrong(value, again)
pretty = json.decode(json.indent(text))
if value != pretty: wrong(value, pretty)
)",
    R"(
rows = csv.read_all(text)
csv.write_all(rows)
)",
    R"(
pattern, _, subject = text.partition("\n")
r = re.compile(pattern)
r.search(subject)
r.match(subject)
r.split(subject)
r.findall(subject)
r.sub(pattern, subject)
)",
    R"(
plain = base64.decode(base64.encode(text))
if plain != text: wrong(text, plain)
hash.md5(text), hash.sha1(text), hash.sha256(text)
base64.decode(text)
)"};
constexpr std::string_view kLoads = R"(
load("encoding/json.star", "json")
load("encoding/csv.star", "csv")
load("encoding/base64.star", "base64")
load("hash.star", "hash")
load("re.star", "re")
)";

void run(std::string_view source, std::string_view text) {
  const auto program =
      starlark::Program::compile(fmt::format("{}{}", kLoads, source), "fuzz", {"text", "wrong"},
                                 {.sets = true, .recursion = true, .top_level = true});
  if (!program) std::abort();
  starlark::Heap heap({.steps = 100'000, .memory = 4 << 20, .depth = 200});
  starlark::Environment environment;
  environment.load = [](starlark::Heap& h, std::string_view name) {
    return Result<starlark::Members>(find_module(h, name).value_or(starlark::Members{}));
  };
  environment.predeclared = {
      {"text", heap.string(text)},
      {"wrong",
       heap.builtin("wrong", [](starlark::Call&) -> Result<starlark::Value> { std::abort(); })}};
  const starlark::Outcome outcome = program->run(heap, environment);
  if (outcome.failure && outcome.failure->message.empty()) std::abort();
  for (const auto& [name, value] : outcome.globals)
    if (value.repr().empty()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  run(kPrograms[data[0] % std::size(kPrograms)], text);
  return 0;
}

}  // namespace portico::starlark_lib
