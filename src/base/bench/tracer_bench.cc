// The cost of a span: next to nothing without a recording Tracer, otherwise that of its contents.
#include <benchmark/benchmark.h>

#include "base/tracer.h"

namespace portico {
namespace {

class Counted : public Tracer {
 public:
  std::optional<SpanContext> begin(const std::optional<SpanContext>&) override {
    return SpanContext{1, 1, ++last_};
  }
  std::uint64_t next_span() override { return ++last_; }
  std::int64_t now() const override { return 1; }
  void take(FinishedSpan span) override { benchmark::DoNotOptimize(span); }

 private:
  std::uint64_t last_ = 0;
};

void work() {
  Span span("work", SpanKind::kClient);
  if (span) span.set("portico.repository.url", "https://git.example.com/edge.git");
  benchmark::DoNotOptimize(span);
}

void BM_SpanThatNobodyRecords(benchmark::State& state) {
  for (auto _ : state) work();
}
BENCHMARK(BM_SpanThatNobodyRecords);

void BM_SpanThatIsRecorded(benchmark::State& state) {
  Counted tracer;
  const Span whole(&tracer, "whole");
  for (auto _ : state) work();
}
BENCHMARK(BM_SpanThatIsRecorded);

}  // namespace
}  // namespace portico
