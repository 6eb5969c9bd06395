// The store's performance: bulk writes, concurrent writers, reads without copying.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>

#include "store/embedded.h"

namespace portico::store {

using registry::Query;
using registry::Registry;
using registry::Verb;
using registry::Write;

namespace {

constexpr krm::LabelSelector::Operator kIn = krm::LabelSelector::Operator::kIn;
const krm::GroupKind kType = {"bench", "Thing"};

/// A variant-like object of about 2 KB as JSON.
json::Value object(std::size_t n) {
  std::vector<json::Value> injectors;
  for (int i = 0; i < 12; ++i)
    injectors.push_back(json::Value::object({{"group", "infra.example.com"},
                                             {"kind", "WorkloadCluster"},
                                             {"name", "cluster-" + std::to_string(i)},
                                             {"note", std::string(60, 'x')}}));
  return json::Value::object({{"apiVersion", "bench/v1"}, {"kind", "Thing"}})
      .with_at({"metadata", "name"}, "thing-" + std::to_string(n))
      .with_at({"metadata", "namespace"}, "default")
      .with_at({"metadata", "labels", "group"}, "g" + std::to_string(n / 100))
      .with_at({"spec", "repo"}, "repo-" + std::to_string(n / 10))
      .with_at({"spec", "injectors"}, json::Value::array(std::move(injectors)));
}

struct OnDisk {
  OnDisk() {
    std::filesystem::path pattern = std::filesystem::temp_directory_path() / "portico-bench-XXXXXX";
    std::string name = pattern.string();
    folder = mkdtemp(name.data());
    store = std::move(
        *open_embedded({.folder = folder, .indexes = {{kType, "repo", {{"spec", "repo"}}}}}));
  }
  ~OnDisk() {
    store.reset();
    std::filesystem::remove_all(folder);
  }
  std::filesystem::path folder;
  std::unique_ptr<Registry> store;
};

void BM_BulkCreate1000(benchmark::State& state) {
  OnDisk disk;
  std::size_t n = 0;
  for (auto _ : state) {
    state.PauseTiming();
    std::vector<Write> writes;
    for (int i = 0; i < 1000; ++i) writes.push_back({Verb::kCreate, object(n++)});
    state.ResumeTiming();
    benchmark::DoNotOptimize(disk.store->commit_each(writes));
  }
  state.SetItemsProcessed(state.iterations() * 1000);
}
BENCHMARK(BM_BulkCreate1000)->Unit(benchmark::kMillisecond)->UseRealTime();

// With 10,000 stored objects, each thread changes its own ones, one per commit.
class SinglePuts : public benchmark::Fixture {
 public:
  void SetUp(benchmark::State& state) override {
    if (state.thread_index() != 0) return;
    disk = std::make_unique<OnDisk>();
    std::vector<Write> writes;
    for (std::size_t i = 0; i < 10'000; ++i) writes.push_back({Verb::kCreate, object(i)});
    benchmark::DoNotOptimize(disk->store->commit_each(writes));
  }
  void TearDown(benchmark::State& state) override {
    if (state.thread_index() == 0) disk.reset();
  }

 protected:
  std::unique_ptr<OnDisk> disk;
};

BENCHMARK_DEFINE_F(SinglePuts, One)(benchmark::State& state) {
  std::size_t n = static_cast<std::size_t>(state.thread_index());
  std::int64_t value = 0;
  for (auto _ : state) {
    const json::Value next = object(n % 10'000).with_at({"spec", "value"}, ++value);
    if (!disk->store->commit({{Verb::kUpdate, next}})) state.SkipWithError("refused");
    n += static_cast<std::size_t>(state.threads());
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK_REGISTER_F(SinglePuts, One)->Threads(1)->Threads(4)->Threads(32)->UseRealTime();

std::unique_ptr<Registry> filled(std::size_t count) {
  auto store = std::move(*open_embedded({.indexes = {{kType, "repo", {{"spec", "repo"}}}}}));
  std::vector<Write> writes;
  for (std::size_t i = 0; i < count; ++i) writes.push_back({Verb::kCreate, object(i)});
  benchmark::DoNotOptimize(store->commit_each(writes));
  return store;
}

void BM_Get(benchmark::State& state) {
  const auto store = filled(10'000);
  const krm::ObjectKey key = {kType, "default", "thing-5000"};
  for (auto _ : state) benchmark::DoNotOptimize(store->get(key));
}
BENCHMARK(BM_Get);

void BM_ListAll(benchmark::State& state) {
  const auto store = filled(static_cast<std::size_t>(state.range(0)));
  Query query;
  query.type = kType;
  for (auto _ : state) benchmark::DoNotOptimize(store->list(query));
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(BM_ListAll)->Arg(1000)->Arg(10'000);

// 10 objects of one repository among an increasing number of others: the time must not grow.
void BM_ListByField(benchmark::State& state) {
  const auto store = filled(static_cast<std::size_t>(state.range(0)));
  Query query;
  query.type = kType;
  query.fields = {{"repo", "repo-7"}};
  for (auto _ : state) benchmark::DoNotOptimize(store->list(query));
}
BENCHMARK(BM_ListByField)->Arg(1000)->Arg(30'000);

void BM_ListByLabel(benchmark::State& state) {
  const auto store = filled(static_cast<std::size_t>(state.range(0)));
  Query query;
  query.type = kType;
  query.labels = std::move(*krm::LabelSelector::parse("group=g3"));
  if (query.labels.requirements().at(0).op != kIn) state.SkipWithError("not an equality");
  for (auto _ : state) benchmark::DoNotOptimize(store->list(query));
}
BENCHMARK(BM_ListByLabel)->Arg(1000)->Arg(30'000);

/// A store of `count` small objects.
std::unique_ptr<Registry> filled_small(std::size_t count) {
  auto store = std::move(*open_embedded({}));
  std::vector<Write> writes;
  for (std::size_t i = 0; i < count; ++i) {
    writes.push_back({Verb::kCreate, object(i).without_at({"spec", "injectors"})});
    if (writes.size() < 4096 && i + 1 < count) continue;
    benchmark::DoNotOptimize(store->commit_each(writes));
    writes.clear();
  }
  return store;
}

// Gets while another thread repeatedly lists 100,000 objects (1) or does not (0): their number, and
// the longest wait of one.
void BM_GetsBesideAList(benchmark::State& state) {
  using Clock = std::chrono::steady_clock;
  const auto store = filled_small(100'000);
  std::atomic<std::int64_t> lists = 0;
  std::jthread listing;
  if (state.range(0) > 0) {
    listing = std::jthread([&](const std::stop_token& stop) {
      Query query;
      query.type = kType;
      for (; !stop.stop_requested(); ++lists) benchmark::DoNotOptimize(store->list(query));
    });
  }
  const krm::ObjectKey key = {kType, "default", "thing-50000"};
  Clock::duration longest{};
  for (auto _ : state) {
    const Clock::time_point from = Clock::now();
    benchmark::DoNotOptimize(store->get(key));
    longest = std::max(longest, Clock::now() - from);
  }
  state.SetItemsProcessed(state.iterations());
  state.counters["longest_us"] =
      static_cast<double>(std::chrono::duration_cast<std::chrono::microseconds>(longest).count());
  state.counters["lists"] =
      benchmark::Counter(static_cast<double>(lists.load()), benchmark::Counter::kIsRate);
}
BENCHMARK(BM_GetsBesideAList)->Arg(0)->Arg(1)->UseRealTime();

// Deletes an object while owner references exist in an increasing number of kinds: the time must
// not grow.
void BM_CreateAndDeleteAmongKinds(benchmark::State& state) {
  const auto store = std::move(*open_embedded({}));
  const auto owned = [&](const std::string& kind, const std::string& owner) {
    return object(0)
        .with("kind", kind)
        .with_at(
            {"metadata", "ownerReferences"},
            json::Value::array({json::Value::object(
                {{"apiVersion", "bench/v1"}, {"kind", "Thing"}, {"name", "o"}, {"uid", owner}})}));
  };
  const auto root = store->commit({{Verb::kCreate, object(1)}});
  const std::string uid(krm::uid_of(root->front()));
  for (std::int64_t i = 0; i < state.range(0); ++i)
    benchmark::DoNotOptimize(
        store->commit({{Verb::kCreate, owned("Thing" + std::to_string(i), uid)}}));
  const json::Value one = object(2);
  for (auto _ : state) {
    if (!store->commit({{Verb::kCreate, one}})) state.SkipWithError("refused");
    if (!store->commit({{Verb::kDelete, one}})) state.SkipWithError("refused");
  }
}
BENCHMARK(BM_CreateAndDeleteAmongKinds)->Arg(1)->Arg(300)->MeasureProcessCPUTime();

void BM_Open(benchmark::State& state) {
  OnDisk disk;
  std::vector<Write> writes;
  for (std::size_t i = 0; i < 10'000; ++i) writes.push_back({Verb::kCreate, object(i)});
  benchmark::DoNotOptimize(disk.store->commit_each(writes));
  for (auto _ : state) {
    disk.store.reset();
    disk.store = std::move(*open_embedded({.folder = disk.folder}));
  }
  state.SetItemsProcessed(state.iterations() * 10'000);
}
BENCHMARK(BM_Open)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace portico::store
