// The cost of reading, editing and writing package YAML.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <string>

#include "yaml/bench/resources.h"
#include "yaml/edit.h"
#include "yaml/print.h"

namespace portico::yaml {
namespace {

constexpr std::int64_t kFile = 4 << 10, kLargeFile = 1 << 20, kLargestFile = 10 << 20;

Document parsed(const std::string& text) {
  auto document = Document::parse(text);
  if (!document) std::abort();
  return *std::move(document);
}

void count_bytes(benchmark::State& state, std::size_t bytes) {
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * bytes));
}

/// A file of several documents. `memory_per_byte`: memory kept by the parse, including the text,
/// per byte of source.
void BM_ParseFile(benchmark::State& state) {
  const std::string text = resources(static_cast<std::size_t>(state.range(0)));
  std::size_t kept = 0;
  for (auto _ : state) {
    const auto parts = parse_stream(text);
    if (!parts) std::abort();
    kept = 0;
    for (const StreamPart& part : *parts)
      kept += part.document.text().capacity() + part.document.nodes().capacity() * sizeof(Node);
  }
  count_bytes(state, text.size());
  state.counters["memory_per_byte"] = static_cast<double>(kept) / static_cast<double>(text.size());
}
BENCHMARK(BM_ParseFile)->Arg(kFile)->Arg(kLargeFile)->Arg(kLargestFile);

/// One document of each kind: 0 Deployment, 1 ConfigMap, 2 CustomResourceDefinition.
void BM_ParseDocument(benchmark::State& state) {
  const std::string text = resource(static_cast<int>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(parsed(text));
  count_bytes(state, text.size());
}
BENCHMARK(BM_ParseDocument)->DenseRange(0, 2);

/// Replaces the last scalar of a document and produces the new text.
void BM_EditOneValue(benchmark::State& state) {
  const Document document = parsed(resource(0));
  const auto last = static_cast<NodeId>(document.nodes().size() - 1);
  for (auto _ : state) {
    Editor editor(document);
    editor.replace(last, Tree::string("another"));
    benchmark::DoNotOptimize(editor.finish());
  }
  count_bytes(state, document.text().size());
}
BENCHMARK(BM_EditOneValue);

/// Prints a document from values, as for a resource that a function generates.
void BM_PrintFresh(benchmark::State& state) {
  const Document document = parsed(resource(0));
  const Tree tree = tree_of(document, Document::root());
  std::size_t bytes = 0;
  for (auto _ : state) bytes = print(tree).size();
  count_bytes(state, bytes);
}
BENCHMARK(BM_PrintFresh);

}  // namespace
}  // namespace portico::yaml
