// The cost of compiling and running programs.
#include <benchmark/benchmark.h>

#include <string>

#include "starlark/program.h"

namespace portico::starlark {
namespace {

constexpr Dialect kAll{.sets = true, .recursion = true, .top_level = true};

/// A typical program from a package.
constexpr const char* kLabels = R"(
def label(resources, labels):
    for r in resources:
        if r["kind"] in ["Kptfile", "StarlarkRun"]:
            continue
        own = r["metadata"].setdefault("labels", {})
        for key, value in labels.items():
            if key not in own or own[key] != value:
                own[key] = value

label(items, {"app": "web", "tier": "backend"})
)";

void BM_Compile(benchmark::State& state) {
  for (auto _ : state)
    benchmark::DoNotOptimize(Program::compile(kLabels, "labels", {"items"}, kAll));
}
BENCHMARK(BM_Compile);

void BM_LabelResources(benchmark::State& state) {
  const Program program = *Program::compile(kLabels, "labels", {"items"}, kAll);
  for (auto _ : state) {
    Heap heap;
    std::vector<Value> items;
    for (std::int64_t i = 0; i < state.range(0); ++i) {
      const Value metadata = heap.dict();
      const Value item = heap.dict();
      const bool made = heap.set(metadata, heap.string("name"), heap.string("resource")).ok() &&
                        heap.set(item, heap.string("kind"), heap.string("ConfigMap")).ok() &&
                        heap.set(item, heap.string("metadata"), metadata).ok();
      if (made) items.push_back(item);
    }
    Environment environment;
    environment.predeclared["items"] = heap.list(std::move(items));
    benchmark::DoNotOptimize(program.run(heap, environment));
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(BM_LabelResources)->Arg(1)->Arg(100);

void run(benchmark::State& state, const std::string& source) {
  const Program program = *Program::compile(source, "bench", {}, kAll);
  std::uint64_t steps = 0;
  for (auto _ : state) {
    Heap heap;
    benchmark::DoNotOptimize(program.run(heap, {}));
    steps += heap.steps();
  }
  state.counters["steps/s"] =
      benchmark::Counter(static_cast<double>(steps), benchmark::Counter::kIsRate);
}

void BM_Recursion(benchmark::State& state) {
  run(state, "def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)\nfib(18)");
}
BENCHMARK(BM_Recursion);

void BM_Loop(benchmark::State& state) {
  run(state, "def f():\n  n = 0\n  for i in range(10000):\n    if i % 3 == 0: n += i\nf()");
}
BENCHMARK(BM_Loop);

void BM_Strings(benchmark::State& state) {
  run(state, "','.join(['key%d=%s' % (i, str(i).upper()) for i in range(1000)]).split(',')");
}
BENCHMARK(BM_Strings);

void BM_Sort(benchmark::State& state) {
  run(state, "sorted([(i * 7919) % 1009 for i in range(1000)], key=lambda x: -x)");
}
BENCHMARK(BM_Sort);

}  // namespace
}  // namespace portico::starlark
