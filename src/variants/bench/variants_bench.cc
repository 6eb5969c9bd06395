// A set of 10,000 targets: expands its template for all of them, and plans with nothing or
// everything changed.
#include <benchmark/benchmark.h>

#include <memory>
#include <string>

#include "variants/set_plan.h"

namespace portico::variants {
namespace {

const ExpressionLanguage language = *ExpressionLanguage::make();

json::Value repository(std::int64_t i) {
  return json::Value::object(
      {{"kind", "Repository"},
       {"metadata",
        json::Value::object({{"name", "edge-" + std::to_string(i)},
                             {"labels", json::Value::object({{"region", i % 2 ? "east" : "west"},
                                                             {"env", "prod"}})}})}});
}

SetSnapshot world(std::int64_t size) {
  SetSnapshot snapshot;
  api::PackageVariantSet set;
  set.metadata.name = "set";
  set.metadata.uid = "uid";
  set.spec.upstream.emplace();
  set.spec.upstream->repo = "catalog";
  set.spec.upstream->package = "web";
  set.spec.upstream->revision = 1;
  api::Target target;
  target.repository_selector.emplace().labels.match_labels = {{"env", "prod"}};
  api::VariantTemplate& tmpl = target.tmpl.emplace();
  tmpl.downstream.emplace().package_expr = "packageDefault + '-' + repository.labels['region']";
  tmpl.labels = {{"team", "platform"}};
  tmpl.label_exprs.push_back({"region", {}, {}, "repository.labels['region']"});
  tmpl.injectors.push_back({{}, {}, "ConfigMap", {}, "target.name + '-endpoints'"});
  set.spec.targets = std::vector<api::Target>{std::move(target)};
  snapshot.set = std::make_shared<const api::PackageVariantSet>(std::move(set));
  for (std::int64_t i = 0; i < size; ++i) snapshot.repositories.push_back(repository(i));
  return snapshot;
}

Revision upstream() { return {std::make_shared<const api::PackageRevision>(), "", ""}; }

void BM_Expand(benchmark::State& state) {
  const SetSnapshot snapshot = world(state.range(0));
  const CompiledSet compiled = *compile_set(language, snapshot.set->spec);
  for (auto _ : state) benchmark::DoNotOptimize(desired_variants(snapshot, compiled, upstream()));
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(BM_Expand)->Arg(100)->Arg(10'000)->Unit(benchmark::kMillisecond);

void BM_Compile(benchmark::State& state) {
  const SetSnapshot snapshot = world(1);
  for (auto _ : state) benchmark::DoNotOptimize(compile_set(language, snapshot.set->spec));
}
BENCHMARK(BM_Compile)->Unit(benchmark::kMicrosecond);

void BM_PlanEverything(benchmark::State& state) {
  const SetSnapshot snapshot = world(state.range(0));
  const DesiredSet desired =
      *desired_variants(snapshot, *compile_set(language, snapshot.set->spec), upstream());
  for (auto _ : state) benchmark::DoNotOptimize(plan(snapshot, desired));
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(BM_PlanEverything)->Arg(10'000)->Unit(benchmark::kMillisecond);

void BM_PlanNothing(benchmark::State& state) {
  SetSnapshot snapshot = world(state.range(0));
  const DesiredSet desired =
      *desired_variants(snapshot, *compile_set(language, snapshot.set->spec), upstream());
  for (const SetAction& action : plan(snapshot, desired).actions)
    snapshot.variants.push_back(action.object);
  for (auto _ : state) benchmark::DoNotOptimize(plan(snapshot, desired));
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(BM_PlanNothing)->Arg(10'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace portico::variants
