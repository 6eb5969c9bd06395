// The cost of reading objects of about 2 KB, one text each, from the store or the wire.
#include <benchmark/benchmark.h>

#include <string>

#include "json/text.h"
#include "json/value.h"

namespace portico::json {
namespace {

Value object() {
  std::vector<Value> injectors;
  for (int i = 0; i < 12; ++i)
    injectors.push_back(Value::object({{"group", "infra.example.com"},
                                       {"kind", "WorkloadCluster"},
                                       {"name", "cluster-" + std::to_string(i)},
                                       {"note", std::string(60, 'x')}}));
  return Value::object(
             {{"apiVersion", "config.porch.kpt.dev/v1alpha1"}, {"kind", "PackageVariant"}})
      .with_at({"metadata", "name"}, "edge-1-network-function")
      .with_at({"metadata", "creationTimestamp"}, "2026-01-01T00:00:00Z")
      .with_at({"spec", "injectors"}, Value::array(std::move(injectors)));
}

void BM_Parse(benchmark::State& state) {
  const std::string text = print(object());
  for (auto _ : state) benchmark::DoNotOptimize(parse(text));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}
BENCHMARK(BM_Parse);

void BM_Print(benchmark::State& state) {
  const Value value = object();
  std::int64_t bytes = 0;
  for (auto _ : state) {
    const std::string text = print(value);
    bytes += static_cast<std::int64_t>(text.size());
  }
  state.SetBytesProcessed(bytes);
}
BENCHMARK(BM_Print);

void BM_SetOneLeaf(benchmark::State& state) {
  const Value value = object();
  for (auto _ : state)
    benchmark::DoNotOptimize(value.with_at({"metadata", "resourceVersion"}, "1"));
}
BENCHMARK(BM_SetOneLeaf);

void BM_CopyAndDrop(benchmark::State& state) {
  const Value value = object();
  for (auto _ : state) {
    Value copy = value;
    benchmark::DoNotOptimize(copy);
  }
}
BENCHMARK(BM_CopyAndDrop)->ThreadRange(1, 2);

void BM_Compare(benchmark::State& state) {
  const Value a = object(), b = object();
  for (auto _ : state) benchmark::DoNotOptimize(a == b);
}
BENCHMARK(BM_Compare);

}  // namespace
}  // namespace portico::json
