// Reads, changes and writes the resources of a package file.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "krm/object.h"

namespace portico::krm {
namespace {

std::string deployment(int number) {
  std::string text =
      "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web-" + std::to_string(number) +
      "\nspec:\n  replicas: 3 # kpt-set: ${replicas}\n  template:\n    spec:\n      containers:\n"
      "      - name: server\n        image: registry.example.com/team/server:1.4.2\n        env:\n";
  for (int i = 0; i < 8; ++i)
    text += "        - name: VARIABLE_" + std::to_string(i) + "\n          value: \"" +
            std::to_string(i * number) + "\"\n";
  return text;
}

std::string file(std::int64_t documents) {
  std::string text;
  for (int i = 0; i < documents; ++i) text += (i == 0 ? "" : "---\n") + deployment(i);
  return text;
}

void count_bytes(benchmark::State& state, std::size_t bytes) {
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * bytes));
}

void BM_ReadFile(benchmark::State& state) {
  const std::string text = file(state.range(0));
  for (auto _ : state) {
    const auto objects = Object::parse_file(text);
    if (!objects) std::abort();
    benchmark::DoNotOptimize(objects->size());
  }
  count_bytes(state, text.size());
}
BENCHMARK(BM_ReadFile)->Arg(1)->Arg(10)->Arg(1000);

void BM_WriteFile(benchmark::State& state) {
  const std::vector<Object> objects = *Object::parse_file(file(10));
  std::size_t bytes = 0;
  for (auto _ : state) bytes = Object::join_file(objects).size();
  count_bytes(state, bytes);
}
BENCHMARK(BM_WriteFile);

void BM_SetOneField(benchmark::State& state) {
  const Object object = *Object::parse(deployment(1));
  const Path path = {"spec", "replicas"};
  for (auto _ : state) {
    Object copy = object;
    if (!copy.set(path, 5)) std::abort();
    benchmark::DoNotOptimize(copy.text());
  }
  count_bytes(state, object.text().size());
}
BENCHMARK(BM_SetOneField);

}  // namespace
}  // namespace portico::krm
