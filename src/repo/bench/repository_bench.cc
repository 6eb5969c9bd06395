// Saves drafts, reads packages and discovers revisions in a bare repository on disk.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <thread>
#include <vector>

#include "git/store.h"
#include "repo/repository.h"

namespace portico::repo {
namespace {

namespace fs = std::filesystem;

class Folder {
 public:
  Folder() {
    std::string pattern = (fs::temp_directory_path() / "portico-bench-XXXXXX").string();
    if (!::mkdtemp(pattern.data())) std::abort();
    path_ = pattern;
  }
  ~Folder() { fs::remove_all(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

template <class T>
T must(Result<T> result) {
  if (!result) {
    fmt::print(stderr, "{}\n", result.error().text());
    std::abort();
  }
  return *std::move(result);
}

const Signature kBench{"Bench", "bench@example.com",
                       std::chrono::sys_seconds(std::chrono::seconds(1'700'000'000))};

// Eight files of 1 to 2 KiB; the content of two depends on `number`.
krm::Package package_of(int number) {
  krm::Package package;
  package.set("Kptfile", fmt::format("apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n"
                                     "  name: pkg-{}\ninfo:\n  description: {}\n",
                                     number, std::string(900, 'd')));
  for (int file = 0; file < 7; ++file) {
    std::string text = "apiVersion: v1\nkind: ConfigMap\ndata:\n";
    for (int line = 0; line < 40; ++line)
      text += fmt::format("  key-{}-{}: value {}\n", file, line, line * 7919 % 1000);
    if (file == 0) text += fmt::format("  number: \"{}\"\n", number);
    package.set(fmt::format("config-{}.yaml", file), std::move(text));
  }
  return package;
}

DraftWrite draft_of(int number) {
  DraftWrite write;
  write.package = fmt::format("team-{}/pkg-{}", number % 10, number);
  write.workspace = "v1";
  write.content = package_of(number);
  write.message.subject = "Creating new revision by cloning";
  write.author = kBench;
  return write;
}

std::shared_ptr<Repository> make_repository(const Folder& folder) {
  const std::string path = folder.path() + "/bench.git";
  must(git::init_bare(path, "main"));
  Location location;
  location.url = path;
  location.create_branch = true;
  return must(open(location, ""));
}

template <class F>
void in_threads(int threads, int count, F&& f) {
  std::vector<std::jthread> workers;
  for (int t = 0; t < threads; ++t)
    workers.emplace_back([&, t] {
      for (int i = t; i < count; i += threads) f(i);
    });
}

// range(0) writers, each waiting until its draft is durable.
void BM_SaveDrafts(benchmark::State& state) {
  const int threads = static_cast<int>(state.range(0)), count = static_cast<int>(state.range(1));
  for (auto _ : state) {
    state.PauseTiming();
    const Folder folder;
    auto repository = make_repository(folder);
    state.ResumeTiming();
    in_threads(threads, count, [&](int i) { must(repository->save_draft(draft_of(i))); });
    state.PauseTiming();
    repository.reset();
    state.ResumeTiming();
  }
  state.SetItemsProcessed(state.iterations() * count);
}
BENCHMARK(BM_SaveDrafts)
    ->Args({1, 500})
    ->Args({32, 10'000})
    ->Args({128, 10'000})
    ->Iterations(1)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

// Writes 10,000 packages, then reads them cold (each tree once) and discovers them.
void BM_ReadPackages(benchmark::State& state) {
  constexpr int kCount = 10'000;
  const Folder folder;
  auto repository = make_repository(folder);
  std::vector<std::string> trees(kCount);
  in_threads(64, kCount, [&](int i) {
    trees[static_cast<std::size_t>(i)] = must(repository->save_draft(draft_of(i))).tree;
  });
  Location location;
  location.url = folder.path() + "/bench.git";
  Options options;
  options.cache_bytes = 0;
  repository = must(open(location, "", options));
  for (auto _ : state)
    in_threads(static_cast<int>(state.range(0)), kCount, [&](int i) {
      benchmark::DoNotOptimize(must(repository->read(trees[static_cast<std::size_t>(i)])));
    });
  state.SetItemsProcessed(state.iterations() * kCount);
}
BENCHMARK(BM_ReadPackages)
    ->Arg(1)
    ->Arg(2)
    ->Iterations(1)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

void BM_DiscoverTags(benchmark::State& state) {
  const int count = static_cast<int>(state.range(0));
  const Folder folder;
  auto repository = make_repository(folder);
  in_threads(64, count, [&](int i) {
    const Revision draft = must(repository->save_draft(draft_of(i)));
    must(repository->publish(must(repository->propose(draft)), 1, kBench));
  });
  Location location;
  location.url = folder.path() + "/bench.git";
  for (auto _ : state) {
    auto cold = must(open(location, ""));
    const auto start = std::chrono::steady_clock::now();
    const std::size_t found = must(cold->discover()).size();
    const auto first = std::chrono::steady_clock::now();
    must(cold->save_draft([&] {
      DraftWrite write = draft_of(0);
      write.workspace = "next";
      return write;
    }()));
    const auto before = std::chrono::steady_clock::now();
    must(cold->discover());
    const auto again = std::chrono::steady_clock::now();
    const auto ms = [](auto span) {
      return std::chrono::duration<double, std::milli>(span).count();
    };
    state.counters["revisions"] = static_cast<double>(found);
    state.counters["cold_ms"] = ms(first - start);
    state.counters["one_moved_ms"] = ms(again - before);
  }
}
BENCHMARK(BM_DiscoverTags)
    ->Arg(10'000)
    ->Iterations(1)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace portico::repo
