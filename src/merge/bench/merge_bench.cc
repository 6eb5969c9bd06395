// Upgrades of a typical package (12 files) and of one with a megabyte of resources.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdlib>
#include <string>

#include "merge/package.h"

namespace {

using portico::krm::Package;

std::string deployment(int number, int replicas, const std::string& image, bool local) {
  std::string text = fmt::format(
      "apiVersion: apps/v1\nkind: Deployment\nmetadata: # kpt-merge: /web-{0}\n  name: web-{0}\n"
      "  labels:\n    app: web-{0}\nspec:\n  # how many\n  replicas: {1} # kpt-set: ${{replicas}}\n"
      "  selector:\n    matchLabels:\n      app: web-{0}\n  template:\n    spec:\n"
      "      containers:\n      - name: web\n        image: {2}\n        ports:\n"
      "        - containerPort: 8080\n        - containerPort: 9090\n        env:\n",
      number, replicas, image);
  for (int i = 0; i < 10; ++i)
    text += fmt::format("        - name: VARIABLE_{}\n          value: \"{}\"\n", i, i * number);
  if (local) text += "        - name: LOCAL\n          value: here\n";
  return text;
}

/// `resources` in each of `files`. Upstream gives every other resource a new image, and one in
/// three has a local edit.
struct Versions {
  Package base, theirs, ours;

  Versions(int files, int resources) {
    int number = 0;
    for (int file = 0; file < files; ++file) {
      std::string texts[3];
      for (int i = 0; i < resources; ++i, ++number) {
        for (std::string& text : texts)
          if (!text.empty()) text += "---\n";
        texts[0] += deployment(number, 3, "web:1", false);
        texts[1] += deployment(number, 3, number % 2 == 0 ? "web:2" : "web:1", false);
        texts[2] += deployment(number, number % 3 == 0 ? 5 : 3, "web:1", number % 3 == 0);
      }
      const std::string path = fmt::format("file-{}.yaml", file);
      base.set(path, texts[0]);
      theirs.set(path, texts[1]);
      ours.set(path, texts[2]);
    }
  }
};

enum class Read { kFirst, kRetryNow };

/// `read`: whether the files are read for the first time or were read before. The files of an
/// upstream package have been read before for all of its variants but one.
void run(benchmark::State& state, const Versions& versions, Read read) {
  std::size_t bytes = 0;
  for (const auto& [path, file] : versions.ours.files) bytes += file.text().size();
  for (auto _ : state) {
    const bool again = read == Read::kRetryNow;
    const Package base = again ? versions.base : unread(versions.base);
    const Package theirs = again ? versions.theirs : unread(versions.theirs);
    const Package ours = unread(versions.ours);
    auto merged = portico::merge::resource_merge({base, theirs, ours}, {});
    if (!merged) std::abort();
    benchmark::DoNotOptimize(merged->package);
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * bytes));
}

void BM_TwelveFiles(benchmark::State& state) { run(state, Versions(12, 2), Read::kFirst); }
BENCHMARK(BM_TwelveFiles)->Unit(benchmark::kMicrosecond);

void BM_TwelveFilesOfKnownUpstream(benchmark::State& state) {
  run(state, Versions(12, 2), Read::kRetryNow);
}
BENCHMARK(BM_TwelveFilesOfKnownUpstream)->Unit(benchmark::kMicrosecond);

void BM_OneMegabyte(benchmark::State& state) { run(state, Versions(40, 26), Read::kFirst); }
BENCHMARK(BM_OneMegabyte)->Unit(benchmark::kMillisecond);

/// The common case: the new upstream is the old one.
void BM_NothingNew(benchmark::State& state) {
  Versions versions(12, 2);
  versions.theirs = versions.base;
  run(state, versions, Read::kFirst);
}
BENCHMARK(BM_NothingNew)->Unit(benchmark::kMicrosecond);

}  // namespace
